// Prints the number of records for each value of a field, for people and for programs.
import { stringify } from "csv-stringify/sync";
import { io, printTable } from "@call-media/terminal";
import { printJson, printText } from "../../terminal/output.ts";
import type { CountedGroup } from "../counting.ts";
import type { Field } from "@call-media/handover";

/** Prints the groups of `by`. */
export type PrintGroups = (by: Field | "day", groups: readonly CountedGroup[]) => void;

export const printGroupTable: PrintGroups = (by, groups) =>
  printTable<string>(toRows(by, groups, "(none)"), [by, "records"], ["records"]);

export const printGroupJson: PrintGroups = (by, groups) => printJson(toRows(by, groups, null));

export const printGroupLines: PrintGroups = (by, groups) =>
  toRows(by, groups, null).forEach((row) => printText(JSON.stringify(row)));

export const printGroupCsv: PrintGroups = (by, groups) => {
  const lines = [[by, "records"], ...groups.map(({ value, records }) => [value, records])];
  io().stdout.write(stringify(lines, { escape_formulas: true, record_delimiter: "windows" }));
};

const toRows = (by: string, groups: readonly CountedGroup[], none: string | null) =>
  groups.map(({ value, records }) => ({ [by]: value ?? none, records }));
