// Where the rows of a mapping are not the records of a file: several records are one call, belong to one, or lie in one.
import { toKind } from "@call-media/store/values";
import { isObject } from "../../json.ts";
import { fail, isTexts, toObject, toTexts } from "./keys.ts";
import {
  type FieldRules,
  isElementsPath,
  parseRules,
  type Rule,
  type RuleContext,
} from "./rule.ts";

/** Several rows of a table or a log are one call. */
export interface Group {
  /** Its conditions hold in a row that continues the one above it; undefined if `by` says it. */
  readonly continues: Rule | undefined;
  /** Rows of a file with equal values are one call, wherever they stand; empty if `continues` says it. */
  readonly by: readonly (readonly Rule[])[];
}

/** Turns of a chat inside the record of a call. */
export interface Chats {
  /** Their path, such as `messages.*`. */
  readonly each: string;
  readonly fields: readonly FieldRules[];
}

/** Records of another kind, in the same file or in another, that belong to a call. */
export interface Join {
  /** Keys that together show such a record; several lists if there are several forms. */
  readonly marks: readonly (readonly string[])[];
  /** Their paths, as `records` of a mapping; `*` and "" among them. */
  readonly records: readonly string[];
  /** Their values that are equal to `on` of the call. */
  readonly key: readonly (readonly Rule[])[];
  readonly on: readonly (readonly Rule[])[];
}

/** Throws `ImportError`, naming the key, as all that follow do. */
export function parseGroup(
  { group, records, table, lines }: Readonly<Record<string, unknown>>,
  context: RuleContext,
): Group | undefined {
  if (group === undefined) return undefined;
  const { by, continues } = toObject("group", group, ["by", "continues"]);
  if ((by === undefined) === (continues === undefined))
    fail(
      'group: must have "by", a list of templates, or "continues", the conditions of a row that continues the one above',
    );
  if (records !== undefined && (table ?? lines) === undefined)
    fail("group: goes with tables and lines; records of JSON and XML hold what belongs to them");
  const ofRow = { ...context, isGrouped: false };
  const when = { from: "yes", when: continues };
  return {
    continues: continues === undefined ? undefined : parseRules("group.continues", when, ofRow)[0],
    by: by === undefined ? [] : parseKeys("group.by", by, ofRow),
  };
}

function parseKeys(key: string, value: unknown, context: RuleContext) {
  if (!Array.isArray(value) || value.length === 0)
    fail(`${key}: must be a list such as ["{id}"], not ${toKind(value)}`);
  return value.map((one: unknown, index) => parseRules(`${key}[${index}]`, one, context));
}

// A document that is a list, one record, or one a line may hold calls and what belongs to them.
const ANYWHERE = ["*", ""];
const JOIN_KEYS = ["when", "records", "key", "on"];

export function parseJoins(value: unknown, context: RuleContext): ReadonlyMap<string, Join> {
  if (value === undefined) return new Map();
  if (!isObject(value)) fail(`join: must be an object, not ${toKind(value)}`);
  const joins = Object.entries(value).map(([name, given]): [string, Join] => {
    const key = `join.${name}`;
    if (!/^[\w-]+$/.test(name)) fail(`join: "${name}" must be letters, digits, _ and -`);
    const { when, records = [], ...keys } = toObject(key, given, JOIN_KEYS);
    const { keys: marks } = toObject(`${key}.when`, when, ["keys"]);
    const plain = { ...context, isGrouped: false, joins: [], each: undefined };
    const join = {
      marks: parseMarks(`${key}.when.keys`, marks),
      records: [...toTexts(`${key}.records`, [records].flat()), ...ANYWHERE],
      key: parseKeys(`${key}.key`, keys["key"], plain),
      on: parseKeys(`${key}.on`, keys["on"], plain),
    };
    if (join.key.length !== join.on.length) fail(`${key}: "key" and "on" must have as many values`);
    return [name, join];
  });
  return new Map(joins);
}

/** Keys that show a record: a list of them, or several lists of which one has to fit. */
export function parseMarks(key: string, value: unknown): readonly (readonly string[])[] {
  if (!Array.isArray(value) || value.length === 0) fail(`${key}: must be a list of keys`);
  const lists: readonly unknown[] = isTexts(value) ? [value] : value;
  return lists.map((one) => toTexts(key, one));
}

export function parseChats(
  value: unknown,
  parseFields: (fields: unknown, each: string) => readonly FieldRules[],
): readonly Chats[] {
  if (value === undefined) return [];
  if (!Array.isArray(value)) fail(`chats: must be a list, not ${toKind(value)}`);
  return value.map((one: unknown, index) => {
    const { each, fields } = toObject(`chats[${index}]`, one, ["each", "fields"]);
    if (typeof each !== "string" || !isElementsPath(each))
      fail(`chats[${index}].each: must be the path of the turns, such as "messages.*"`);
    return { each, fields: parseFields(fields, each) };
  });
}
