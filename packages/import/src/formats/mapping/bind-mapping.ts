// Applies a mapping: turns records of a file into entries of the archive's own format.
import { Faults } from "../../faults.ts";
import { ImportError } from "../../import-error.ts";
import { isLink, toLinkName } from "../../link.ts";
import { type Place, RowFault } from "../../source-row.ts";
import type { Entry } from "../format.ts";
import type { Grouping } from "../groups.ts";
import { bindRules, createScopes, type Watch } from "./bind-rule.ts";
import type { NamedFile } from "./locate-media.ts";
import type { Mapping } from "./mapping.ts";
import { createNames, listElements, type Read, type Scope } from "./names.ts";
import type { Chats } from "./rows.ts";
import type { Rule } from "./rule.ts";
import type { Find } from "./template.ts";

/**
 * The entries of the records of a row: several records if the mapping groups them. Throws `RowFault`, naming the field, for a value that
 * cannot be converted.
 */
export type ToEntries<R> = (records: readonly R[], place: Place) => Entry[];

export interface Bound<R> {
  readonly toEntries: ToEntries<R>;
  /** Which records of a table together are a row. */
  readonly grouping: Grouping<R> | undefined;
}

interface BindOptions {
  /** IANA name: how datetimes without an offset are read. */
  readonly timeZone: string;
  readonly watch?: Watch | undefined;
  readonly joined?: Joined | undefined;
}

/** The records that belong to others. */
export interface Joined {
  /** Undefined if the import brings no record of the join at all, and so says nothing of them. */
  readonly find: (join: string, values: readonly string[]) => readonly unknown[] | undefined;
}

/**
 * Binds a mapping that is the whole source. If it does not mention recordings, a call that is imported again keeps its own.
 * Throws `ImportError`, naming the key in the mapping, for a name that `find` does not know.
 */
export function bindWhole<R>(mapping: Mapping, find: Find<R>, options: BindOptions): Bound<R> {
  const bound = bindMapping(mapping, find, options);
  const { kind, media, fields, identity, joins } = mapping;
  if (identity.length > 0 && !fields.some(({ field }) => field === "call_id"))
    throw new ImportError(
      "identity: it tells records of one call_id apart, and fields has no call_id",
    );
  const hasNames = fields.some(({ field }) => field === "recordings");
  const isJoined = media.every((rules) => rules.every((rule) => rule.join !== undefined));
  // A join may bring them, and brings none of its records here.
  const isSilent = () =>
    isJoined && [...joins.keys()].every((join) => options.joined?.find(join, []) === undefined);
  if (kind !== "call" || hasNames || !isJoined) return bound;
  const toEntries: ToEntries<R> = (records, place) =>
    bound
      .toEntries(records, place)
      .map((entry) =>
        entry["kind"] === "call" && isSilent() ? { ...entry, keeps_recordings: true } : entry,
      );
  return { ...bound, toEntries };
}

/** Binds a mapping that adds to a format; throws like `bindWhole`. */
export function bindMapping<R>(
  mapping: Mapping,
  find: Find<R>,
  { timeZone, watch, joined }: BindOptions,
): Bound<R> {
  const { lets, each, joins } = mapping;
  const bound = new Map<string, Read<R>>();
  const begun = new Set<string>();
  const bindLet = (name: string): Read<R> => {
    const known = bound.get(name);
    if (known !== undefined) return known;
    if (begun.has(name)) throw new ImportError(`let.${name}: needs itself`);
    begun.add(name);
    const read = bindRules(lets.get(name) ?? [], options);
    const readOnce: Read<R> = (scope) => {
      if (!scope.lets.has(name)) scope.lets.set(name, read(scope));
      return scope.lets.get(name);
    };
    bound.set(name, readOnce);
    return readOnce;
  };
  const findJoined = (join: string, scope: Scope<R>) =>
    joined?.find(join, ons.get(join)?.(scope) ?? []) ?? [];
  const findName = createNames(mapping, find, bindLet);
  const options: RuleOptions<R> = { find: findName, watch, timeZone, findJoined };
  for (const name of lets.keys()) bindLet(name);
  const ons = new Map([...joins].map(([name, { on }]) => [name, bindKey(on, options)]));
  const toEntry = bindFields(mapping, options);
  const toTurns = mapping.chats.map((chats) => bindChats(chats, mapping, options));

  const checkGroup = bindGroupCheck(mapping, options);

  const toEntries: ToEntries<R> = (records, place) => {
    const faults = new Faults();
    const scope = toScope(records, place);
    faults.attempt(() => checkGroup(scope));
    const scopes = each === undefined ? [scope] : toElements(scope, each);
    const entries = scopes.flatMap((one) => {
      const entry = toEntry(one, faults);
      const toMessages = (toAll: (typeof toTurns)[number]) => toAll(one, entry["call_id"], faults);
      return [entry, ...toTurns.flatMap(toMessages)];
    });
    faults.end(entries);
    return entries;
  };
  return { toEntries, grouping: bindGroup(mapping, options) };
}

function bindGroup<R>({ group }: Mapping, options: RuleOptions<R>): Grouping<R> | undefined {
  if (group === undefined) return undefined;
  const toOne = (record: R, line: number) => toScope([record], { file: "", line });
  if (group.continues !== undefined) {
    const holds = bindRules([group.continues], options);
    return { continues: (record, line) => holds(toOne(record, line)) !== undefined };
  }
  const toKey = bindKey(group.by, options);
  return {
    toKey: (record, line) => {
      const values = toKey(toOne(record, line));
      return values && JSON.stringify(values);
    },
  };
}

/** Rows of several calls are not one: a group by the queue in place of the call would lose all but the first of each. */
function bindGroupCheck<R>(
  { group, fields }: Mapping,
  options: RuleOptions<R>,
): (scope: Scope<R>) => void {
  const { rules = [] } = fields.find(({ field }) => field === "call_id") ?? {};
  // A mapping that selects the row expects different values.
  if (group === undefined || group.continues !== undefined || rules.some(({ row }) => row))
    return () => {};
  const read = bindRules(
    rules.map((rule) => ({ ...rule, isGrouped: false })),
    options,
  );
  return ({ rows = [] }) => {
    const [first, second] = new Set(rows.flatMap((row) => read(row)?.value ?? []));
    if (second !== undefined)
      throw new RowFault(
        `call_id: rows of one group have ${JSON.stringify(first)} and ${JSON.stringify(second)}: group by what each call has of its own, or say which "row" is meant`,
      );
  };
}

type RuleOptions<R> = Parameters<typeof bindRules<R>>[1];

/** Makes what gives the texts of several values; undefined if one of them has none. */
export function bindKey<R>(rules: readonly (readonly Rule[])[], options: RuleOptions<R>) {
  const reads = rules.map((one) => bindRules(one, options));
  return (scope: Scope<R>): readonly string[] | undefined => {
    const values = reads.map((read) => read(scope)?.value);
    return values.every((value) => value !== undefined) ? values.map(String) : undefined;
  };
}

/** The scope of one record, or of the records of a group. */
export function toScope<R>(records: readonly R[], place: Place): Scope<R> {
  const rows: Scope<R>[] = [];
  const scopes = records.map((record) => ({ record, place, lets: new Map(), rows }));
  rows.push(...scopes);
  const [first] = scopes;
  if (first === undefined) throw new RowFault("there is no record");
  return first;
}

function toElements<R>(scope: Scope<R>, path: string): readonly Scope<R>[] {
  const elements = listElements(scope.record, path);
  if (elements.length === 0)
    throw new RowFault(`${path.replace(/\.?\*$/, "")}: has no element, and each is a record`);
  return elements.map((each) => ({ ...scope, each, lets: new Map() }));
}

type ToEntry<R> = (scope: Scope<R>, faults: Faults) => Entry;

/** A field with a fault is not in the entry. */
function bindFields<R>(mapping: Mapping, options: RuleOptions<R>): ToEntry<R> {
  const { kind } = mapping;
  const fields = mapping.fields.map(({ field, rules }) => ({
    name: toName(mapping, field),
    read: bindRules(rules, options),
  }));
  const media = mapping.media.map((rules) => bindMedia(rules, options));
  const identity = mapping.identity.map((rules) => bindRules(rules, options));
  return (scope, faults) => {
    const entry: Entry = { kind };
    for (const { name, read } of fields) {
      const result = faults.attempt(() => read(scope));
      if (result !== undefined) entry[name] = toField(name, result.value);
    }
    const files = media.flatMap((read) => faults.attempt(() => read(scope)) ?? []);
    if (files.length > 0) entry["media"] = files;
    const told = identity.map((read) => faults.attempt(() => read(scope))?.value ?? null);
    if (told.some((value) => value !== null)) entry["identity"] = told.map(toIdentity);
    return entry;
  };
}

/** Messages of the call, unless they name another. */
function bindChats<R>({ each, fields }: Chats, mapping: Mapping, options: RuleOptions<R>) {
  const none = { media: [], identity: [] };
  const toMessage = bindFields({ ...mapping, ...none, kind: "chat", fields }, options);
  return (scope: Scope<R>, callId: unknown, faults: Faults): Entry[] =>
    (faults.attempt(() => listElements(scope.record, each)) ?? []).map((turn) => ({
      ...(callId !== undefined && { call_id: callId }),
      ...toMessage({ ...scope, each: turn, lets: new Map() }, faults),
    }));
}

const toIdentity = (value: string | number | null) => (value === null ? null : String(value));

// `media` of an entry is the list of recordings.
const toName = ({ kind }: Mapping, field: string): string =>
  kind === "call" && field === "media" ? "media_field" : field;

const toField = (name: string, value: string | number) =>
  name === "recordings" && typeof value === "string" && isLink(value) ? toLinkName(value) : value;

/** The recordings that one rule names: with `of`, rows of a group or a join there may be several, each once. */
function bindMedia<R>(
  rules: readonly Rule[],
  options: RuleOptions<R>,
): (scope: Scope<R>) => readonly NamedFile[] {
  const alternatives = rules.map((rule) => {
    const once = { ...rule, of: undefined, join: undefined, isGrouped: false };
    const read = bindRules([once], options);
    const readStart = bindRules(
      rule.start.map((start) => ({ ...start, join: undefined })),
      options,
    );
    const readOne = (scope: Scope<R>): NamedFile[] => {
      const file = read(scope)?.value;
      const start = file === undefined ? undefined : readStart(scope)?.value;
      if (file === undefined) return [];
      return [{ file: String(file), ...(start !== undefined && { start: String(start) }) }];
    };
    const toScopes = createScopes<R>(rule, options);
    if (toScopes === undefined) return readOne;
    const { row = rule.of === undefined ? "all" : "first" } = rule;
    return (scope: Scope<R>) => {
      const found = toScopes(scope).flatMap(readOne);
      if (row !== "all") return found.slice(...(row === "last" ? [-1] : [0, 1]));
      return rule.join === undefined ? found : found.toSorted(byName);
    };
  });
  return (scope) => {
    for (const read of alternatives) {
      const files = read(scope);
      if (files.length > 0) return files;
    }
    return [];
  };
}

// The records of a join come in any order, and the same ones are to be the same.
const byName = (one: NamedFile, other: NamedFile) =>
  one.file < other.file ? -1 : Number(one.file > other.file);
