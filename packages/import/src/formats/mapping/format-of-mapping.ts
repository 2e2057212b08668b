// A mapping file that is a format: how its files are recognised, and their reader.
import { isObject } from "../../json.ts";
import { createJsonFormat, type JsonRecord } from "../json-format.ts";
import type { ImportFormat, RecordContext } from "../format.ts";
import { createTableFormat, type TableAdditions } from "../table-format.ts";
import { bindWhole, locateMedia } from "./bind-mapping.ts";
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
  readonly keys: readonly string[] | undefined;
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
  const spare = ["lines", "skip"].find((key) => given[key] !== undefined);
  if (spare !== undefined)
    fail(`${spare}: stands in a mapping of --map alone, which has no samples, and in no format`);
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
    keys: keys === undefined ? undefined : toTexts("when.keys", keys),
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
  return createJsonFormat({
    title,
    ...hint,
    records: mapping.records ?? ["*", ""],
    marks: keys,
    callId: file.keys === undefined ? [] : listCallIds(mapping),
    prepare: ({ timeZone }) => prepareRecords(parseMapping(given, timeZone), { timeZone, watch }),
  });
}

function prepareRecords(
  mapping: Mapping,
  { timeZone, watch }: { readonly timeZone: string; readonly watch: (mapping: Mapping) => Proof },
) {
  const proof = watch(mapping);
  const options = { timeZone, watch: proof.watch };
  const toEntry = bindWhole<JsonRecord>(mapping, findInRecord(mapping.nulls), options);
  const toEntries = async (record: JsonRecord, { folder, place }: RecordContext) => {
    proof.see(record);
    return [await locateMedia(toEntry(record, place), folder, true)];
  };
  return { toEntries, judge: proof.judge };
}

const listCallIds = ({ fields }: Mapping): readonly string[] =>
  fields
    .filter(({ field }) => field === "call_id")
    .flatMap(({ rules }) => rules.flatMap(({ from }) => from))
    .flatMap(({ template }) => template.filter(({ isName }) => isName).map(({ text }) => text));
