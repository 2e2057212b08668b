// Keeps the values of the first rows by column, or by the path of a member, so that a mapping can be compared with them.
import { isObject } from "../../json.ts";
import { toLetters } from "../columns.ts";
import type { Rule } from "./rule.ts";

// Enough for a mistake to show.
const ROWS = 1_000;
const MEMBERS = 500;
const CHARACTERS = 200;

export interface SampleColumn {
  /** A column, or a path in which `*` stands for each element. */
  readonly name: string;
  /** Values by the number of their row; an array gives its first element. */
  readonly values: ReadonlyMap<number, string>;
}

/** A field and the columns of the first rows that it reads; conditions do not count. */
export interface Reading {
  readonly field: string;
  readonly rules: readonly Rule[];
  readonly columns: readonly SampleColumn[];
  /** Columns of the first alternative with values; all columns if conditions choose the alternative. */
  readonly first: readonly SampleColumn[];
}

export interface SampleColumns {
  readonly seeRecord: (record: unknown) => void;
  readonly seeRow: (columns: readonly string[], values: readonly string[]) => void;
  readonly list: () => readonly SampleColumn[];
  /** The column or member of a template. */
  readonly find: (steps: readonly string[]) => SampleColumn | undefined;
  readonly countRows: () => number;
}

/** `nulls`: texts that stand for no value. */
export function createSampleColumns(nulls: ReadonlySet<string>): SampleColumns {
  const columns = new Map<
    string,
    { readonly name: string; readonly values: Map<number, string> }
  >();
  let rows = 0;
  const put = (key: string, name: string, text: string): void => {
    const value = text.trim();
    const column = columns.get(key) ?? { name, values: new Map<number, string>() };
    columns.set(key, column);
    if (!nulls.has(value) && !column.values.has(rows))
      column.values.set(rows, value.slice(0, CHARACTERS));
  };
  return {
    seeRecord: (record) => {
      if (++rows > ROWS) return;
      for (const [path, value] of listLeaves(record, [])) put(path, path, value);
    },
    seeRow: (names, values) => {
      if (++rows > ROWS) return;
      for (const [index, name] of names.entries()) put(toLetters(name), name, values[index] ?? "");
    },
    list: () => [...columns.values()],
    find: (steps) => columns.get(toPath(steps)) ?? columns.get(toLetters(steps.join("."))),
    countRows: () => Math.min(rows, ROWS),
  };
}

const toPath = (steps: readonly string[]) =>
  steps.map((step) => (/^\d+$/.test(step) ? "*" : step)).join(".");

/** Texts, numbers and booleans of a record, at most some hundred. */
function listLeaves(
  record: unknown,
  path: readonly string[],
): readonly (readonly [string, string])[] {
  if (Array.isArray(record)) return record.flatMap((one) => listLeaves(one, [...path, "*"]));
  if (isObject(record))
    return Object.entries(record)
      .flatMap(([member, value]) => listLeaves(value, [...path, member]))
      .slice(0, MEMBERS);
  const isText = typeof record === "string";
  if (!isText && typeof record !== "number" && typeof record !== "boolean") return [];
  return [[path.join("."), isText ? record : JSON.stringify(record)]];
}
