// Reading the archive's own format: one JSON object a line, each of them an entry as it stands.
import { parseJson } from "../../json.ts";
import { readLines } from "../../lines.ts";
import type { Reader, SourceRow } from "../../source-row.ts";

// A line is held in memory whole; the longest honest one is a call with the transcript of a day.
const MAX_LINE_BYTES = 16 * 1024 * 1024;

export function createJsonlReader(): Reader {
  return async function* (file) {
    for await (const line of readLines(file.chunks(), MAX_LINE_BYTES)) {
      if ("reason" in line) yield line;
      else if (line.text.trim() !== "") yield toRow(line.line, line.text);
    }
  };
}

function toRow(line: number, raw: string): SourceRow {
  const parsed = parseJson(raw);
  return "fault" in parsed
    ? { line, raw, reason: parsed.fault }
    : { line, raw, entries: [parsed.value] };
}
