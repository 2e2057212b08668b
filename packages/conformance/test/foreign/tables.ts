// Tables in memory with integer keys that count from 1, as small services have them.
import type { Reply } from "../styles.ts";

export type Row = Readonly<Record<string, unknown>>;
export const INTEGER = { type: "integer" };
export const NAME = { type: "string", minLength: 1 };

/** Tables with integer keys that count from 1, and what was done to rows that were there. */
export function createTables(seeds: Readonly<Record<string, readonly Row[]>>) {
  const tables = Object.fromEntries(
    Object.entries(seeds).map(([name, rows]) => [
      name,
      new Map<string, Row>(rows.map((row, at) => [String(at + 1), { id: at + 1, ...row }])),
    ]),
  );
  const touched: string[] = [];
  const of = (name: string) => tables[name] ?? new Map<string, Row>();
  const note = (how: string, name: string, key: string) => {
    if (Number(key) <= (seeds[name]?.length ?? 0)) touched.push(`${how} ${name}/${key}`);
  };
  return {
    touched,
    rows: (name: string): readonly Row[] => [...of(name).values()],
    get: (name: string, key = "") => of(name).get(key),
    set: (name: string, row: Row): Row => {
      const id = Number(row["id"] ?? Math.max(0, ...[...of(name).keys()].map(Number)) + 1);
      if (of(name).has(String(id))) note("change", name, String(id));
      of(name).set(String(id), { ...row, id });
      return { ...row, id };
    },
    remove: (name: string, key: string): void => {
      note("delete", name, key);
      of(name).delete(key);
    },
    rest: () =>
      Object.keys(tables).flatMap((name) =>
        [...of(name).keys()]
          .filter((key) => Number(key) > (seeds[name]?.length ?? 0))
          .map((key) => `${name}/${key}`),
      ),
  };
}

export const notAllowed = (...methods: readonly string[]): Reply => ({
  status: 405,
  body: {},
  headers: { allow: methods.join(", ") },
});
export const isText = (value: unknown): value is string =>
  typeof value === "string" && value !== "";
export const toFields = (value: unknown): Row => Object(value) as Row;
