// vCons: a file that is one, or one a line.
import { dirname } from "node:path";
import { isObject, parseJson } from "../../json.ts";
import { findDuplicateKey } from "../../duplicate-key.ts";
import type { ReadOptions, Entry, ImportFormat } from "../format.ts";
import { toUnfit } from "../../faults.ts";
import { type Line, readLines } from "../../lines.ts";
import { createMediaFolder, type MediaFolder } from "../../media-folder.ts";
import { type FitRow, type Reader, type SourceRow, type UnfitRow } from "../../source-row.ts";
import { translateExactly } from "../big-integers.ts";
import { listUnknownDigests } from "./digests.ts";
import { isRecording } from "./recordings.ts";
import { toEntries } from "./to-entries.ts";
import { parseVcon, type Vcon } from "./vcon.ts";

// A vCon is held in memory whole and may carry its recordings: an hour of uncompressed telephone sound is 77 MB of text.
const MAX_VCON_BYTES = 256 * 1024 * 1024;

const TOO_LONG = `the file is longer than ${MAX_VCON_BYTES.toLocaleString("en")} characters`;

const LINE_FORMATS = new Set([".jsonl", ".ndjson"]);

/** A JSON text of the file, and what it says. */
interface Document {
  readonly line: number;
  readonly raw: string;
  readonly parsed: ReturnType<typeof parseJson>;
}

// A vCon itself, one that is signed (JWS) and one that is encrypted (JWE).
const MARKS = [["vcon"], ["uuid", "parties", "dialog"], ["payload", "signatures"], ["ciphertext"]];

export const vcon: ImportFormat = {
  title: "vCon",
  hint: "0.0.1 to 0.4.0, a file each or one a line, with inline or adjacent recordings",
  extensions: [".json", ".vcon", ".jsonl", ".ndjson"],
  recognise: ({ json }) => {
    const marks = isObject(json) && MARKS.find((keys) => keys.every((key) => key in json));
    return marks ? `it has ${marks.join(", ")}` : undefined;
  },
  createReader: createVconReader,
};

function createVconReader({ mediaDirectory, timeZone }: ReadOptions): Reader {
  return async function* (file) {
    const folder = createMediaFolder(mediaDirectory ?? dirname(file.path));
    const isByLine = LINE_FORMATS.has(file.extension);
    for await (const document of toDocuments(readLines(file.chunks(), MAX_VCON_BYTES), isByLine)) {
      yield "reason" in document ? document : await toRow(document, folder, timeZone);
    }
  };
}

/** Every line is a document when the first one is, or when the file's name says so; else the file is one. */
async function* toDocuments(
  lines: AsyncIterable<Line | UnfitRow>,
  isNamedByLine: boolean,
): AsyncGenerator<Document | UnfitRow> {
  let isByLine: boolean | undefined = isNamedByLine || undefined;
  const whole: string[] = [];
  let length = 0;
  for await (const line of lines) {
    if ("reason" in line) {
      yield line;
      if (!isByLine) return; // what is left of the file is no document
      continue;
    }
    if (line.text.trim() === "") continue;
    const document: Document | undefined = isByLine === false ? undefined : toDocument(line);
    isByLine ??= document !== undefined && "value" in document.parsed;
    if (isByLine && document !== undefined) {
      yield document;
      continue;
    }
    whole.push(line.text);
    length += line.text.length;
    if (length > MAX_VCON_BYTES) {
      yield { line: 1, raw: line.text, reason: TOO_LONG };
      return;
    }
  }
  if (!isByLine) yield toDocument({ line: 1, text: whole.join("\n") });
}

function toDocument({ line, text }: Line): Document {
  const isEmpty = text.trim() === "";
  return { line, raw: text, parsed: isEmpty ? { fault: "the file is empty" } : parseJson(text) };
}

async function toRow(
  { line, raw, parsed }: Document,
  folder: MediaFolder,
  timeZone: string,
): Promise<SourceRow> {
  if ("fault" in parsed) return { line, raw, reason: parsed.fault };
  const { value } = parsed;
  const doubled = findDuplicateKey(raw, value);
  if (doubled !== undefined) return { line, raw, reason: doubled };
  const translate = async (given: unknown) => {
    const parsedVcon = parseVcon(given);
    const entries = await toEntries(parsedVcon, folder, timeZone);
    return { entries, ...toNotice(parsedVcon, entries) };
  };
  try {
    return { line, raw, ...(await translateExactly({ raw, value }, translate)) };
  } catch (error) {
    return toUnfit({ line, raw }, error);
  }
}

function toNotice({ dialog }: Vcon, entries: readonly Entry[]): Pick<FitRow, "notice"> {
  const names = listUnknownDigests(dialog.filter(isRecording)).join(", ");
  const hasFiles = entries.some(
    ({ media }) => Array.isArray(media) && media.some(({ optional }) => optional !== true),
  );
  if (names === "" || !hasFiles) return {};
  return {
    notice: { text: `not checked, as its algorithm is not known: content_hash (${names})` },
  };
}
