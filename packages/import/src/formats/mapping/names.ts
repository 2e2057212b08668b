// Resolves the names of a mapping: a column or a member, `$file` and the like, an element, a named value.
import { basename, dirname, extname } from "node:path";
import { toKind } from "@call-media/store/values";
import { isObject } from "../../json.ts";
import { ImportError } from "../../import-error.ts";
import { type Place, RowFault } from "../../source-row.ts";
import { toDigits, toJson } from "../big-integers.ts";
import { toColumnList, toLetters, toValue } from "../columns.ts";
import { listCaptures, type Mapping } from "./mapping.ts";
import type { Find } from "./template.ts";
import { XmlElement } from "../../xml.ts";

/** The data that templates read at one time. */
export interface Scope<R> {
  readonly record: R;
  readonly place: Place;
  /** The element of an array in the record. */
  readonly each?: unknown;
  /** The rows of a group, this one among them. */
  readonly rows?: readonly Scope<R>[] | undefined;
  /** The joined record, by the name of its join. */
  readonly joined?: Readonly<Record<string, unknown>>;
  /** Named values of this record and element that were asked for. */
  readonly lets: Map<string, Result | undefined>;
}

/** The result of a rule. */
export interface Result {
  readonly value: string | number;
  /** The named captures of its pattern. */
  readonly captures?: Readonly<Record<string, string | undefined>> | undefined;
  /** The element of an array that it takes whole. */
  readonly element?: unknown;
}

export type Read<R> = (scope: Scope<R>) => Result | undefined;

type FindInScope<R> = Find<Scope<R>>;

const FILE_NAMES: ReadonlyMap<string, (place: Place) => string> = new Map([
  ["$file", ({ file }: Place) => basename(file)],
  ["$stem", ({ file }: Place) => basename(file, extname(file))],
  ["$folder", ({ file }: Place) => basename(dirname(file))],
  ["$line", ({ line }: Place) => String(line)],
]);
const ROWS = "$rows";

/** A name with the sign that it lacks: `{file}` of a record that has no such member may be `{$file}`. */
export const findFileName = (name: string): string | undefined =>
  [...FILE_NAMES.keys(), ROWS].find((known) => known === `$${name}`);

/** `find` finds what is in a record. `bindLet` is asked for a named value when the first template names it. */
export function createNames<R>(
  { lets, nulls, joins }: Pick<Mapping, "lets" | "nulls" | "joins">,
  find: Find<R>,
  bindLet: (name: string) => Read<R>,
): FindInScope<R> {
  return (name, key) => {
    const ofFile = FILE_NAMES.get(name);
    if (ofFile !== undefined) return ({ place }) => ofFile(place) || undefined;
    if (name === ROWS) return ({ rows = [] }) => String(rows.length || 1);
    const [first = "", ...rest] = toSteps(name);
    if (joins.has(first)) {
      const read = createMemberReader(name, rest, nulls);
      return ({ joined }) => read(joined?.[first]);
    }
    if (first === "$each") {
      const read = createMemberReader(name, rest, nulls);
      return ({ each }) => read(each);
    }
    if (first.startsWith("$"))
      throw new ImportError(
        `${key}: {${name}} is not known: it may be ${[...FILE_NAMES.keys(), ROWS].join(", ")} or $each`,
      );
    if (!lets.has(first)) {
      const read = find(name, key);
      return ({ record }) => read(record);
    }
    const toText = createPartReader(rest, { lets, nulls, first, key });
    const read = bindLet(first);
    return (scope) => {
      const result = read(scope);
      return result && toText(result);
    };
  };
}

/** Reads a named value: the value itself, a member of its element, or a capture of its pattern. */
function createPartReader(
  rest: readonly string[],
  {
    lets,
    nulls,
    first,
    key,
  }: Pick<Mapping, "lets" | "nulls"> & { readonly first: string; readonly key: string },
): (result: Result) => string | undefined {
  const rules = lets.get(first) ?? [];
  if (rest.length === 0) return ({ value }) => String(value);
  if (rules.some(({ isElement }) => isElement)) {
    const read = createMemberReader(`${first}.${rest.join(".")}`, rest, nulls);
    return ({ element }) => read(element);
  }
  const capture = rest.join(".");
  const captures = rules.flatMap(listCaptures);
  if (!captures.includes(capture))
    throw new ImportError(
      `${key}: the pattern of let.${first} has no capture "${capture}"; it has ${captures.join(", ") || "none"}`,
    );
  return (result) => result.captures?.[capture];
}

/** Finds names in the rows of a table. Throws `ImportError` for an unknown name, and for one that fits several columns. */
export function findInColumns(
  columns: readonly string[],
  { nulls, optional, proved }: Pick<Mapping, "nulls" | "optional" | "proved">,
): Find<readonly string[]> {
  const findAt = createColumnFinder(columns);
  return (name, key) => {
    const [index, ...others] = findAt(name);
    if (others.length > 0) throw new ImportError(`${key}: the file has several columns "${name}"`);
    if (index === undefined && (optional.has(name) || proved.has(name))) return () => undefined;
    if (index === undefined)
      throw new ImportError(`${toMissingText({ key, name })}; it has ${toColumnsText(columns)}`);
    return (values) => toValue(values[index], nulls);
  };
}

/** The positions of the columns of a name: exactly, else by its letters and digits. */
export function createColumnFinder(
  columns: readonly string[],
): (name: string) => readonly number[] {
  const forms = columns.map((column) => column.normalize());
  const letters = columns.map(toLetters);
  const toIndexes = (list: readonly string[], wanted: string) =>
    list.flatMap((one, index) => (one === wanted ? [index] : []));
  return (name) => {
    const exact = toIndexes(forms, name.normalize());
    return exact.length > 0 || toLetters(name) === "" ? exact : toIndexes(letters, toLetters(name));
  };
}

/** A name of a mapping that a file lacks. */
export interface MissingColumn {
  readonly key: string;
  readonly name: string;
}

export const toMissingText = ({ key, name }: MissingColumn) =>
  `${key}: the file has no column "${name}"`;

/** The columns of a file, for messages. */
export const toColumnsText = (columns: readonly string[]) =>
  `${toColumnList(columns)}${toDelimiterHint(columns)}`;

// Spreadsheets write semicolons where the decimal sign is a comma.
function toDelimiterHint([only = "", ...others]: readonly string[]): string {
  const [delimiter] = /[;\t|]/.exec(only) ?? [];
  if (delimiter === undefined || others.length > 0) return "";
  return `: if its columns are parted otherwise, the mapping says so, "table": { "delimiter": ${JSON.stringify(delimiter)} }`;
}

/** How a name is found in a JSON record: a path such as `participants[0].ani`. Other values than text are written as JSON. */
export function findInRecord(nulls: ReadonlySet<string>): Find<Readonly<Record<string, unknown>>> {
  return (name, key) => {
    const steps = toSteps(name);
    if (steps.length === 0) throw new ImportError(`${key}: "{${name}}" names no member`);
    return createMemberReader(name, steps, nulls);
  };
}

function createMemberReader(name: string, steps: readonly string[], nulls: ReadonlySet<string>) {
  return (record: unknown): string | undefined => {
    let value = record;
    for (const [index, step] of steps.entries()) value = readHolder(value, step, steps[index + 1]);
    if (value === undefined || value === null) return undefined;
    const text = typeof value === "string" ? value : toMemberText(name, value);
    return toValue(text, nulls);
  };
}

/** The keys and indexes of a path such as `participants[0].ani`. */
export const toSteps = (path: string): readonly string[] =>
  path.split(/[.[\]]+/).filter((step) => step !== "");

/** The elements at a path that ends in `*`, such as `legs.*`. Throws `RowFault` for anything but an array. */
export function listElements(value: unknown, path: string): readonly unknown[] {
  let found: readonly unknown[] = [value];
  const steps = toSteps(path);
  for (const [index, step] of steps.entries())
    found = found.flatMap((one) => {
      if (step === "*") return listMembers(one, steps.slice(0, index).join("."));
      return [readHolder(one, step, steps[index + 1])];
    });
  return found.filter((one) => one !== undefined && one !== null);
}

/** In XML, a single element and a list of one look the same. */
export function readHolder(holder: unknown, step: string, next: string | undefined): unknown {
  const value = readMember(holder, step);
  const isOfList = next !== undefined && /^(?:\*|\d+)$/.test(next);
  const isOne = isOfList && holder instanceof XmlElement && value !== undefined;
  return isOne && !Array.isArray(value) ? [value] : value;
}

function listMembers(value: unknown, name: string): readonly unknown[] {
  if (value === undefined || value === null) return [];
  if (Array.isArray(value)) return value;
  throw new RowFault(`${name}: must be an array, not ${toKind(value)}`);
}

function toMemberText(name: string, value: unknown): string {
  if (typeof value === "number") return toDigits(name, value);
  return typeof value === "object" && value !== null ? toJson(name, value) : String(value);
}

export function readMember(value: unknown, key: string): unknown {
  if (Array.isArray(value)) return value[Number(key)];
  return isObject(value) && Object.hasOwn(value, key) ? value[key] : undefined;
}
