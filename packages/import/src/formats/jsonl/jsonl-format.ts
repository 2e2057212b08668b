// The archive's own format: one JSON object a line, each of them an entry as it stands.
import { isObject } from "../../json.ts";
import { readJsonLines } from "../../json-elements.ts";
import type { Reader } from "../../source-row.ts";
import type { ImportFormat } from "../format.ts";

// A line is held in memory whole; the longest honest one is a call with the transcript of a day.
const MAX_LINE_BYTES = 16 * 1024 * 1024;

const KINDS = new Set<unknown>(["call", "user", "flag", "chat"]);

const readJsonl: Reader = async function* (file) {
  for await (const line of readJsonLines(file.chunks(), MAX_LINE_BYTES))
    yield "reason" in line ? line : { line: line.line, raw: line.raw, entries: [line.value] };
};

export const jsonl: ImportFormat = {
  title: "the archive's own format",
  hint: "one JSON object a line, kind call | user | flag | chat",
  extensions: [".jsonl", ".ndjson"],
  recognise: ({ json }) =>
    isObject(json) && KINDS.has(json["kind"])
      ? `its first line is an object of kind ${String(json["kind"])}`
      : undefined,
  createReader: () => readJsonl,
};
