// The samples of a mapping: pieces of a file with the records that they are. They prove its names, and are its test.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { extname, join } from "node:path";
import { createHead } from "../../head.ts";
import { ImportError } from "../../import-error.ts";
import { isObject } from "../../json.ts";
import type { Entry } from "../format.ts";
import type { SourceFile, SourceRow } from "../../source-row.ts";
import { createFormat, type FormatFile, parseFormatFile } from "./format-of-mapping.ts";
import { fail, toObject, toTexts } from "./keys.ts";
import { type Mapping, parseMapping } from "./mapping.ts";
import { naming, readMappingFile } from "./read-mapping.ts";
import { createProof, listProvable } from "./proof.ts";

interface Sample {
  readonly file: string;
  readonly text: string;
  readonly zone: string;
  /** The number of rejected rows. */
  readonly rejects: number;
  readonly expect: readonly Readonly<Record<string, unknown>>[];
  /** Files that are imported with it, whose records a join brings. */
  readonly others: readonly Pick<Sample, "file" | "text">[];
}

const FILE_KEYS = ["file", "text", "json"];
const KEYS = [...FILE_KEYS, "with", "zone", "rejects", "expect"];

export interface Checked {
  /** The differences from the expected records; empty for a correct mapping. */
  readonly faults: readonly string[];
  /** Names and patterns that give no value in any sample. */
  readonly unproved: readonly string[];
}

/** Runs the samples of a mapping. Throws `ImportError`, naming the key, for a mapping that cannot be read. */
export async function checkSamples(file: FormatFile): Promise<Checked> {
  const proof = createProof(parseMapping(file.given, "UTC"));
  const faults: string[] = [];
  const mediaDirectory = await mkdtemp(join(tmpdir(), "samples-"));
  try {
    for (const sample of parseSamples(file.given["samples"])) {
      const source = toSource(sample);
      const sources = [source, ...sample.others.map(toSource)];
      const head = createHead(Buffer.from(sample.text));
      const format = createFormat(file, { proof, isTable: head.json === undefined });
      if (format.recognise(head) === undefined)
        faults.push(`${sample.file}: "when" does not recognise it`);
      const options = { timeZone: sample.zone, mediaDirectory, openArchive: refuse };
      const read = await format.createReader(options, sources);
      const rows: SourceRow[] = [];
      for (const one of sources) for await (const row of read(one)) rows.push(row);
      faults.push(...compare(sample, rows));
    }
  } finally {
    await rm(mediaDirectory, { recursive: true });
  }
  return { faults, unproved: proof.listUnproved() };
}

/** The faults of a mapping file as a format; empty if its samples are right and prove all of its names. */
export async function listFaults(file: FormatFile): Promise<readonly string[]> {
  const { faults, unproved } = await checkSamples(file);
  const toText = (name: string) =>
    `${name}: gives no value in any sample; if some files lack it, list it under "optional"`;
  const { fields, expected } = parseMapping(file.given, "UTC");
  const unexpected = unproved.length > 0 ? [] : fields.filter(({ field }) => !expected.has(field));
  return [
    ...faults,
    ...unproved.map(toText),
    ...unexpected.map(({ field }) => `fields.${field}: "expect" of no sample says what it is`),
  ];
}

/** The operator's mapping. Its samples, if it has any, prove names of it. Throws `ImportError` if they are not what it reads. */
export async function readProved(path: string, timeZone: string): Promise<Mapping> {
  const given = await readMappingFile(path);
  return await naming(path, async () => {
    const mapping = parseMapping(given, timeZone);
    if (!isObject(given) || given["samples"] === undefined) return mapping;
    const { faults, unproved } = await checkSamples(parseFormatFile(given, OWN));
    const [first] = faults;
    if (first !== undefined) throw new ImportError(`its sample is read otherwise: ${first}`);
    const proved = listProvable(mapping).filter((name) => !unproved.includes(name));
    return { ...mapping, proved: new Set(proved) };
  });
}

// A mapping need not be a format.
const OWN = { name: "mapping", title: "The mapping" };

const refuse = async (): Promise<never> => {
  throw new ImportError("a sample has no archive");
};

function parseSamples(value: unknown): readonly Sample[] {
  if (!Array.isArray(value) || value.length === 0)
    fail("samples: missing, each is a piece of a file and the records that it is");
  return value.map((one: unknown, index) => {
    const key = `samples[${index}]`;
    const given = toObject(key, one, KEYS);
    const { zone = "UTC", rejects = 0, expect, with: others = [] } = given;
    if (typeof zone !== "string" || typeof rejects !== "number")
      fail(`${key}: "zone" must be a text, and "rejects" a number`);
    if (!Array.isArray(expect) || !expect.every(isObject))
      fail(`${key}.expect: must be a list of records`);
    if (!Array.isArray(others)) fail(`${key}.with: must be a list of files`);
    const beside = others.map((other: unknown, at) => {
      const file = `${key}.with[${at}]`;
      return parsePiece(file, toObject(file, other, FILE_KEYS));
    });
    return { ...parsePiece(key, given), zone, rejects, expect, others: beside };
  });
}

function parsePiece(key: string, { file, text, json }: Readonly<Record<string, unknown>>) {
  if (typeof file !== "string") fail(`${key}.file: must be a text`);
  if ((text === undefined) === (json === undefined))
    fail(`${key}: must have "text", a list of lines, or "json"`);
  const lines = text === undefined ? [JSON.stringify(json)] : toTexts(`${key}.text`, text);
  return { file, text: lines.map((line) => `${line}\n`).join("") };
}

function toSource({ file, text }: Pick<Sample, "file" | "text">): SourceFile {
  const content = Buffer.from(text);
  const chunks = async function* () {
    yield content;
  };
  return {
    name: file,
    path: file,
    extension: extname(file),
    peek: async () => createHead(content),
    readAhead: chunks,
    chunks,
  };
}

function compare({ file, rejects, expect }: Sample, rows: readonly SourceRow[]): string[] {
  const unfit = rows.flatMap((row) => ("reason" in row ? [row] : []));
  const entries = rows.flatMap((row) => ("entries" in row ? row.entries : [])).filter(isObject);
  const faults = unfit.slice(rejects).map(({ line, reason }) => `${file}:${line}: ${reason}`);
  if (unfit.length < rejects)
    faults.push(`${file}: ${unfit.length} rows are rejected, expected ${rejects}`);
  if (entries.length !== expect.length)
    faults.push(`${file}: ${entries.length} records, expected ${expect.length}`);
  for (const [index, wanted] of expect.entries())
    for (const [field, value] of Object.entries(wanted)) {
      const got = JSON.stringify(toShown(entries[index], field, value));
      if (got !== JSON.stringify(value))
        faults.push(
          `${file}: record ${index + 1}, ${field}: ${got}, expected ${JSON.stringify(value)}`,
        );
    }
  return faults;
}

// `media` is the list of recordings: their files, or these with their starts.
function toShown(entry: Entry = {}, field: string, wanted: unknown): unknown {
  if (field !== "media") return entry[field] ?? null;
  if (!Array.isArray(wanted)) return entry["media"] ?? null;
  const files: readonly unknown[] = Array.isArray(entry["media"]) ? entry["media"] : [];
  return files
    .filter(isObject)
    .map(({ file, start }) => (wanted.every(isObject) ? { file, start } : file));
}
