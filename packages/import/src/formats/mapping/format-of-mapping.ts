// A mapping file that is a format: how its files are recognised, and their reader.
import { isObject } from "../../json.ts";
import { createJsonFormat, type JsonRecord, type PreparedRecords } from "../json-format.ts";
import type { ImportFormat } from "../format.ts";
import type { SourceFile } from "../../source-row.ts";
import { createTableFormat, type TableAdditions } from "../table-format.ts";
import { bindWhole } from "./bind-mapping.ts";
import { readLocated } from "./locate-media.ts";
import { readJoined } from "./joined.ts";
import { parseMarks } from "./rows.ts";
import { fail, toObject, toTexts } from "./keys.ts";
import { type Mapping, parseMapping } from "./mapping.ts";
import { findInRecord } from "./names.ts";
import { createProof, listProvable, type Proof } from "./proof.ts";

/** A mapping file as it was read, checked as far as a format needs it. */
export interface FormatFile {
  readonly name: string;
  readonly given: Readonly<Record<string, unknown>>;
  readonly title: string;
  readonly hint: string | undefined;
  readonly columns: readonly string[] | undefined;
  readonly keys: readonly (readonly string[])[] | undefined;
}

const WHEN_KEYS = ["columns", "keys"];

/**
 * `usual` is what it is called if it need not be a format; then "when" may be missing. Throws `ImportError`, naming the key, for
 * a mapping that is none.
 */
export function parseFormatFile(
  value: unknown,
  usual?: Pick<FormatFile, "name" | "title">,
): FormatFile {
  const given = isObject(value) ? value : fail("the mapping: must be an object");
  const spare = ["lines", "table"].find((key) => given[key] !== undefined);
  if (spare !== undefined)
    fail(`${spare}: stands in a mapping of --map alone, which has no samples, and in no format`);
  if (given["guess"] !== undefined && usual === undefined)
    fail("guess: a mapping with guesses is no format: look at each, and remove the key");
  const { name = usual?.name, title = usual?.title, hint, when = {} } = given;
  if (typeof name !== "string" || !/^[a-z0-9][a-z0-9-]*$/.test(name))
    fail("name: must be lower-case letters, digits and hyphens, as --format is given it");
  if (typeof title !== "string") fail("title: missing, it is what people call the format");
  if (hint !== undefined && typeof hint !== "string") fail("hint: must be a text");
  const { columns, keys } = toObject("when", when, WHEN_KEYS);
  const isWithout = columns === undefined && keys === undefined && usual !== undefined;
  if ((columns === undefined) === (keys === undefined) && !isWithout)
    fail("when: must have columns, of a table, or keys, of the first record of JSON");
  return {
    name,
    given,
    title,
    hint,
    columns: columns === undefined ? undefined : toTexts("when.columns", columns),
    keys: keys === undefined ? undefined : parseMarks("when.keys", keys),
  };
}

interface Making {
  /** Sees what the samples of the file prove. */
  readonly proof?: Proof;
  readonly isTable?: boolean;
  readonly additions?: TableAdditions | undefined;
}

/** Throws `ImportError`, naming the key, for a mapping that is wrong. */
export function createFormat(
  file: FormatFile,
  { proof, isTable = file.columns !== undefined, additions }: Making = {},
): ImportFormat {
  const { title, given, columns = [], keys = [] } = file;
  const hint = file.hint === undefined ? {} : { hint: file.hint };
  // The samples prove it; which names a file lacks, and which texts a table of values, is seen in each import.
  const watch = (mapping: Mapping) =>
    proof ?? createProof({ ...mapping, proved: new Set(listProvable(mapping)) });
  if (isTable)
    return createTableFormat({
      ...additions,
      title,
      ...hint,
      marks: columns,
      mapping: given,
      watch,
      areLegs: given["legs"] === true,
    });
  const mapping = parseMapping(given, "UTC");
  const joins = [...mapping.joins.values()];
  const paths = [...(mapping.records ?? ["*", ""]), ...joins.flatMap(({ records }) => records)];
  return createJsonFormat({
    title,
    ...hint,
    records: [...new Set(paths)],
    marks: [...keys, ...joins.flatMap(({ marks }) => marks)],
    callId: file.keys === undefined ? [] : listCallIds(mapping),
    prepare: async ({ timeZone }, files) => {
      const own = parseMapping(given, timeZone);
      return await prepareRecords(own, { timeZone, files, marks: keys, proof: watch(own) });
    },
  });
}

interface Preparing {
  readonly timeZone: string;
  readonly files: readonly SourceFile[];
  /** The marks of records that are calls. */
  readonly marks: readonly (readonly string[])[];
  readonly proof: Proof;
}

/** Makes entries of the records of JSON and XML. */
async function prepareRecords(
  mapping: Mapping,
  { timeZone, files, marks, proof }: Preparing,
): Promise<PreparedRecords> {
  const joined = await readJoined(mapping, { files, marks, see: proof.see });
  const options = { timeZone, watch: proof.watch, joined };
  const find = findInRecord(mapping.nulls);
  const { toEntries: make } = bindWhole<JsonRecord>(mapping, find, options);
  return {
    toEntries: (record, { folder, place }) => {
      if (joined?.isPart(record)) return [];
      proof.see(record);
      return readLocated(() => make([record], place), folder, true);
    },
    judge: proof.judge,
  };
}

const listCallIds = ({ fields }: Mapping): readonly string[] =>
  fields
    .filter(({ field }) => field === "call_id")
    .flatMap(({ rules }) => rules.flatMap(({ from }) => from))
    .flatMap(({ template }) => template.filter(({ isName }) => isName).map(({ text }) => text));
