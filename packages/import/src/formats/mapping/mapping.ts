// A mapping: which column of a table, or member of a JSON record, becomes which field. It is checked key by key before a row
// is read, because a wrong mapping spoils every row in the same way.
import { document } from "@call-media/api";
import { toKind } from "@call-media/store/values";
import { isObject } from "../../json.ts";
import { listNamesIn } from "./template.ts";
import { fail, listCapturesOf, parsePattern, type Pattern, toObject, toTexts } from "./keys.ts";
import { type Chats, type Group, type Join, parseChats, parseGroup, parseJoins } from "./rows.ts";
import {
  type FieldRules,
  isElementsPath,
  parseRules,
  type Rule,
  type RuleContext,
} from "./rule.ts";

export interface Mapping {
  readonly kind: "call" | "chat";
  /** One character, of a table; undefined for the one that finds the most columns. */
  readonly delimiter: string | undefined;
  /** False if quotes of a table are characters like others. */
  readonly hasQuotes: boolean;
  /** Names of the columns of a table that has no header. */
  readonly columns: readonly string[] | undefined;
  /** The form of a line of text; its captures are the columns. */
  readonly lines: Pattern | undefined;
  /** Lines without a row: page heads, footers, lines of types. */
  readonly skip: readonly Pattern[];
  /** Where the records of a JSON document lie: the first of these paths that leads to some. */
  readonly records: readonly string[] | undefined;
  /** Which rows together are one call. */
  readonly group: Group | undefined;
  /** Path of the elements in a record of which each is a call. */
  readonly each: string | undefined;
  /** Turns of a chat inside a record. */
  readonly chats: readonly Chats[];
  /** Records of another kind that belong to a call, by the name that templates have for them. */
  readonly joins: ReadonlyMap<string, Join>;
  /** Texts that stand for no value. */
  readonly nulls: ReadonlySet<string>;
  /** Named values. */
  readonly lets: ReadonlyMap<string, readonly Rule[]>;
  readonly fields: readonly FieldRules[];
  /** Paths or names of recordings in the media folder. */
  readonly media: readonly (readonly Rule[])[];
  /** The values that distinguish records of one call_id (D32); empty for the default fields. */
  readonly identity: readonly (readonly Rule[])[];
  /** Names that not every file has. */
  readonly optional: ReadonlySet<string>;
  /** The names that samples prove, from `listProvable`. A file that lacks one causes a warning, and is read. */
  readonly proved: ReadonlySet<string>;
  /** True of a column or member that a sample has. */
  readonly isSampled: (name: string) => boolean;
  /** The guesses of `suggest` that are still to be checked. */
  readonly guess: readonly string[];
  /** The fields of which a sample says what they are. */
  readonly expected: ReadonlySet<string>;
}

/** Keys of the mapping files that are formats. */
export const FORMAT_KEYS = ["$schema", "name", "title", "hint", "see", "when", "legs", "samples"];
export const KEYS = [
  "mapping",
  "kind",
  "table",
  "lines",
  "skip",
  "records",
  "each",
  "group",
  "join",
  "chats",
  "nulls",
  "zone",
  "zones",
  "let",
  "fields",
  "media",
  "identity",
  "optional",
  "guess",
  ...FORMAT_KEYS,
];
export const TABLE_KEYS = ["delimiter", "quoteChar", "columns"];
const SCHEMAS = { call: "MetadataRecord", chat: "ChatMessageRecord" } as const;
// Fields of a call entry that are not fields of the record.
const BESIDES = ["session_id", "master_id", "revised"];
const DATETIMES = new Set(["datetime", "revised"]);

/** Throws `ImportError`, naming the key. */
export function parseMapping(value: unknown, timeZone: string): Mapping {
  const astray = isObject(value) ? TABLE_KEYS.find((key) => Object.hasOwn(value, key)) : undefined;
  if (astray !== undefined) fail(`${astray}: belongs into "table": { "${astray}": … }`);
  const given = toObject("the mapping", value, KEYS);
  const { mapping: version = 2, kind = "call", records, nulls = [], media = [] } = given;
  const { identity = [], optional = [] } = given;
  if (version !== 2) fail("mapping: must be 2, the version of its language");
  if (kind !== "call" && kind !== "chat") fail('kind: must be "call" or "chat"');
  if (records !== undefined && !Array.isArray(records) && typeof records !== "string")
    fail(`records: must be a path such as "calls.*", not ${toKind(records)}`);
  if (kind === "chat" && given["media"] !== undefined)
    fail("media: a chat message has no recordings");
  if (kind === "chat" && given["identity"] !== undefined)
    fail("identity: a chat message is told by all of its fields");
  if (given["identity"] !== undefined && Array.isArray(identity) && identity.length === 0)
    fail("identity: is empty: name what tells records of one call_id apart, or leave it out");
  const context = toContext(given, timeZone);
  if (kind === "chat" && given["chats"] !== undefined)
    fail('chats: stand in a mapping of calls; a file of turns is "kind": "chat" itself');
  const mapping: Mapping = {
    kind,
    ...parseTable(given),
    records: records === undefined ? undefined : toTexts("records", [records].flat()),
    group: parseGroup(given, context),
    each: parseEach(given),
    joins: parseJoins(given["join"], context),
    chats: parseChats(given["chats"], (fields, each) =>
      parseFields("chat", fields, { ...context, each }),
    ),
    nulls: new Set(["", ...toTexts("nulls", nulls)]),
    lets: parseLets(given["let"], context),
    fields: parseFields(kind, given["fields"], context),
    media: parseList("media", media, context),
    identity: parseList("identity", identity, context),
    optional: new Set(toTexts("optional", optional)),
    proved: new Set(),
    isSampled: createSampled(given["samples"]),
    guess: toTexts("guess", given["guess"] ?? []),
    expected: new Set(listExpected(given["samples"])),
  };
  const names = listNames(mapping);
  const spare = [...mapping.optional].find((name) => !names.has(name));
  if (spare !== undefined) fail(`optional: {${spare}} stands in no template of the mapping`);
  return mapping;
}

function createSampled(samples: unknown): Mapping["isSampled"] {
  const names = new Set(listWordsOf(samples));
  return (name) => names.has(name.replace(/^@/, "").trim());
}

const listExpected = (samples: unknown): readonly string[] =>
  (Array.isArray(samples) ? samples : [])
    .filter(isObject)
    .flatMap(({ expect }) => (Array.isArray(expect) ? expect : []))
    .filter(isObject)
    .flatMap((record) => Object.keys(record).filter((field) => record[field] !== null))
    // `media` of an expected record is the list of recordings.
    .filter((field) => field !== "media")
    .map((field) => (field === "media_field" ? "media" : field));

/** Keys, and what may be a column or an element in a line of text. */
function listWordsOf(value: unknown): readonly string[] {
  if (typeof value === "string")
    return value.split(/^\s*</.test(value) ? /[<>\s=/"]+/ : /[,;\t|"]+/).map((word) => word.trim());
  if (Array.isArray(value)) return value.flatMap(listWordsOf);
  return isObject(value)
    ? Object.entries(value).flatMap(([key, inner]) => [key, ...listWordsOf(inner)])
    : [];
}

function toContext(given: Record<string, unknown>, timeZone: string): RuleContext {
  const { zone, zones = {} } = given;
  if (zone !== undefined && typeof zone !== "string")
    fail(`zone: must be a template or a name such as "Europe/London", not ${toKind(zone)}`);
  if (!isObject(zones)) fail(`zones: must be an object, not ${toKind(zones)}`);
  const offsets = Object.entries(zones).map(([name, offset]): [string, string] => {
    if (typeof offset !== "string" || !/^[+-]\d\d:\d\d$/.test(offset))
      fail(`zones: ${name} must be an offset such as "+01:00"`);
    return [name.toUpperCase(), offset];
  });
  const ofTexts = { usual: "text", isInteger: false } as const;
  const isGrouped = given["group"] !== undefined;
  const joins = isObject(given["join"]) ? Object.keys(given["join"]) : [];
  const rows = { isGrouped, joins, each: parseEach(given) };
  return { ...ofTexts, ...rows, timeZone, zone, zones: Object.fromEntries(offsets) };
}

function parseTable(given: Record<string, unknown>) {
  const { table = {}, skip = [] } = given;
  const { delimiter, columns, quoteChar } = toObject("table", table, TABLE_KEYS);
  if (delimiter !== undefined && !(typeof delimiter === "string" && /^[^"\r\n]$/.test(delimiter)))
    fail("table.delimiter: must be one character, and no quote");
  const lines = parsePattern("lines", given["lines"]);
  if (quoteChar !== undefined && quoteChar !== null)
    fail("table.quoteChar: must be null, of a table in which quotes are characters like others");
  const captures = lines && listCapturesOf(lines);
  if (captures?.length === 0)
    fail('lines: must have captures with names, which are its columns: "^(?<id>.{6}) (?<at>.+)$"');
  if (lines !== undefined && (given["table"] ?? given["records"]) !== undefined)
    fail("lines: goes without table and records");
  return {
    delimiter,
    hasQuotes: quoteChar === undefined,
    columns: captures ?? (columns === undefined ? undefined : toTexts("table.columns", columns)),
    lines,
    skip: toTexts("skip", skip).flatMap((one) => parsePattern("skip", one) ?? []),
  };
}

function parseEach({ each, table, lines }: Record<string, unknown>): string | undefined {
  if (each === undefined) return undefined;
  if (typeof each !== "string" || !isElementsPath(each))
    fail('each: must be the path of elements, such as "segments.*"');
  if ((table ?? lines) !== undefined) fail("each: goes with records of JSON or XML");
  return each;
}

function parseLets(value: unknown, context: RuleContext): Mapping["lets"] {
  if (value === undefined) return new Map();
  if (!isObject(value)) fail(`let: must be an object, not ${toKind(value)}`);
  const lets = Object.entries(value).map(([name, given]): [string, readonly Rule[]] => {
    if (!/^[\w-]+$/.test(name)) fail(`let: "${name}" must be letters, digits, _ and -`);
    return [name, parseRules(`let.${name}`, given, { ...context, isGrouped: false })];
  });
  return new Map(lets);
}

function parseList(key: string, value: unknown, context: RuleContext) {
  const list: readonly unknown[] = Array.isArray(value) ? value : toTexts(key, value);
  return list.map((one: unknown, index) => parseRules(`${key}[${index}]`, one, context));
}

/** The names of one capture each, `{name.capture}`, that a rule gives. */
export const listCaptures = ({ match }: Rule): readonly string[] =>
  match === undefined ? [] : listCapturesOf(match);

/** The rules of a mapping, also those of its named values and of the starts of recordings. */
export function listRules({
  lets,
  fields,
  media,
  identity,
  group,
  chats,
  joins,
}: Rules): readonly Rule[] {
  const ofChats = chats.flatMap((one) => one.fields);
  const ofFields = [...fields, ...ofChats].map(({ rules }) => rules);
  const ofGroup = group === undefined ? [] : [...group.by, [group.continues ?? []].flat()];
  const ofJoins = [...joins.values()].flatMap(({ on }) => on);
  const ofRows = [...ofGroup, ...ofJoins];
  const all = [...lets.values(), ...ofFields, ...media, ...identity, ...ofRows].flat();
  return [...all, ...all.flatMap(({ start }) => start)];
}

type Rules = Pick<Mapping, "lets" | "fields" | "media" | "identity" | "group" | "chats" | "joins">;

/** All names in the templates of a rule. */
export function listNamesOf({ from, when, zone, minus, plus }: Rule) {
  const conditions = when.map(({ template }) => template);
  const templates = [...from, ...conditions, ...[zone, minus].flatMap((one) => one ?? []), ...plus];
  return templates.flatMap(({ key, template }) =>
    listNamesIn({ template }).map((name) => ({ key, name })),
  );
}

/** All names in its templates. */
export const listNames = (mapping: Parameters<typeof listRules>[0]): ReadonlySet<string> =>
  new Set(listRules(mapping).flatMap((rule) => listNamesOf(rule).map(({ name }) => name)));

function parseFields(
  kind: keyof typeof SCHEMAS,
  value: unknown,
  context: RuleContext,
): FieldRules[] {
  const schemas = document.components.schemas[SCHEMAS[kind]]?.properties ?? {};
  const known = [...Object.keys(schemas), ...(kind === "call" ? BESIDES : [])];
  const fields = toObject("fields", value, known);
  if (Object.keys(fields).length === 0) fail("fields: must name at least one field");
  for (const [field, { type }] of Object.entries(schemas)) {
    const isRequired = kind === "chat" && type === "string";
    if (isRequired && !Object.hasOwn(fields, field))
      fail(`fields.${field}: missing, a chat message must have it`);
  }
  return Object.entries(fields).map(([field, given]) => {
    const isInteger = [schemas[field]?.type].flat().includes("integer");
    const usual = isInteger ? "duration" : DATETIMES.has(field) ? "datetime" : "text";
    return { field, rules: parseRules(`fields.${field}`, given, { ...context, usual, isInteger }) };
  });
}
