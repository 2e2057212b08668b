// Numbers of calls on standard output, for people and for programs.
import { stringify } from "csv-stringify/sync";
import { io } from "../io.ts";
import { printJson, printText } from "../terminal/output.ts";
import { printTable } from "../terminal/table.ts";
import type { Counted, CountedGroup } from "./counting.ts";
import type { Field } from "./where/comparison.ts";

interface Shape {
  /** Undefined: one number of all. */
  readonly by: Field | "day" | undefined;
  readonly format: "table" | "json" | "jsonl" | "csv";
}

export function printCounted(
  {
    records,
    groups,
  }: Pick<Counted, "records"> & { readonly groups: readonly CountedGroup[] | undefined },
  { by, format }: Shape,
): void {
  if (groups === undefined || by === undefined)
    return format === "json" || format === "jsonl" ? printJson(records) : printText(`${records}`);
  const rows = groups.map((group) => ({ [by]: group.value, records: group.records }));
  if (format === "json") return printJson(rows);
  if (format === "jsonl") return rows.forEach((row) => printText(JSON.stringify(row)));
  if (format === "csv") {
    const lines = [[by, "records"], ...groups.map((group) => [group.value, group.records])];
    io().stdout.write(stringify(lines, { escape_formulas: true, record_delimiter: "windows" }));
    return undefined;
  }
  const shown = groups.map(({ value, records: own }) => ({
    [by]: value ?? "(none)",
    records: own,
  }));
  return printTable<string>(shown, [by, "records"], ["records"]);
}
