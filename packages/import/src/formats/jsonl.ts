// The archive's own format: a JSON object on each line, which is an entry.
import { fieldsOf } from "@call-media/api";
import { isObject } from "../json.ts";
import { readJsonLines } from "../json-elements.ts";
import type { Reader } from "../source-row.ts";
import { pick } from "../head.ts";
import type { ImportFormat } from "./format.ts";

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

const FIELDS = {
  call: new Set<string>(fieldsOf("MetadataRecord")),
  user: new Set<string>(
    (["UserBasicRecord", "UserAddressRecord", "UserSecurityRecord"] as const).flatMap((name) =>
      fieldsOf(name),
    ),
  ),
  flag: new Set<string>(fieldsOf("PublicFlagRecord")),
  chat: new Set<string>(fieldsOf("ChatMessageRecord")),
};

/** Where a service's answer, an array, or a line has its first record. */
const PLACES = ["data.*", "*", ""];

/**
 * The advice to write, as the end of a sentence about the file; undefined if its first record is not of the interface.
 */
export function findMissingKind(json: unknown): string | undefined {
  const record = PLACES.map((place) => pick(json, place)).find(isObject);
  if (record === undefined) return undefined;
  const { kind: given, ...fields } = record;
  const names = Object.keys(fields);
  const kind = Object.entries(FIELDS).find(
    ([, known]) => names.length > 0 && names.every((name) => known.has(name)),
  )?.[0];
  if (kind === undefined) return undefined;
  const fault = given === undefined ? "lacks kind" : `has the kind ${JSON.stringify(given)}`;
  return `has the fields of a ${kind}, but its first record ${fault}: write each record on a line of its own, as {"kind":"${kind}", ...}`;
}
