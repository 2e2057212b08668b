// Tables of this folder: tab-separated text with a header line. A row gives each cell that is not empty, by column.
import { readFileSync } from "node:fs";
import { join } from "node:path";

export interface Row {
  /** The cell's text; throws when it is empty. */
  text(column: string): string;
  /** The cell's text, or null when it is empty. */
  optional(column: string): string | null;
  /** The cell's text when it is one of `choices`; throws when it is not. */
  choice<Choice extends string>(column: string, choices: readonly Choice[]): Choice;
}

/** Reads a table in the folder of this module. */
export function readTable(name: string): Row[] {
  const text = readFileSync(join(import.meta.dirname, name), "utf8");
  const [header = "", ...lines] = text.trimEnd().split("\n");
  const columns = header.split("\t");
  return lines.map((line, index) => {
    const cells = line.split("\t");
    const entries = columns.map((column, at) => [column, cells[at] ?? ""] as const);
    return toRow(new Map(entries), `${name} line ${index + 2}`);
  });
}

function toRow(cells: Map<string, string>, place: string): Row {
  const text = (column: string): string => {
    const cell = cells.get(column);
    if (!cell) throw new Error(`${place}: ${column} is empty`);
    return cell;
  };
  return {
    text,
    optional: (column) => cells.get(column) || null,
    choice(column, choices) {
      const found = choices.find((choice) => choice === text(column));
      if (found === undefined)
        throw new Error(`${place}: ${column} is none of ${choices.join(", ")}`);
      return found;
    },
  };
}
