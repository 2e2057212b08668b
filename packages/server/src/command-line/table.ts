// Lists for people: columns under titles, as wide as the terminal where that is possible.
import { io } from "../io.ts";
import { toPrintable } from "@call-media/service/printable";

export interface Column<T> {
  readonly title: string;
  readonly read: (row: T) => string;
  /** How its cells are shortened if the terminal is too narrow; default: they are not. */
  readonly ifNarrow?: "shorten" | "leave out";
}

const GAP = "  ";

/** Less of a name tells nothing. */
const LEAST_WIDTH = 8;

/** The width of the terminal; Infinity where the output goes elsewhere, so that nothing is shortened. */
export function toTableWidth(): number {
  const { isTTY, columns = 0 } = io().stdout;
  return isTTY && columns > 0 ? columns : Number.POSITIVE_INFINITY;
}

/** The lines of the table, its titles first. Values from outside cannot move the cursor. */
export function toTable<T>(columns: readonly Column<T>[], rows: readonly T[]): string {
  const filled = columns.map(({ title, read, ...column }) => {
    const cells = [title, ...rows.map((row) => toPrintable(read(row)))];
    return { ...column, cells, width: toWidest(cells) };
  });
  const narrowest = filled.map((column) => ({ ...column, width: toLeast(column) }));
  const isTooWide = toWhole(narrowest) > toTableWidth();
  const shown = isTooWide ? filled.filter(({ ifNarrow }) => ifNarrow !== "leave out") : filled;
  const widths = toWidths(shown);
  return ["", ...rows]
    .map((_, line) =>
      shown
        .map(({ cells }, index) => fit(cells[line] ?? "", widths[index] ?? 0))
        .join(GAP)
        .trimEnd(),
    )
    .join("\n");
}

interface Filled extends Pick<Column<unknown>, "ifNarrow"> {
  readonly width: number;
}

const toWidest = (cells: readonly string[]) =>
  cells.reduce((width, { length }) => Math.max(width, length), 0);

const toWhole = (columns: readonly Filled[]) =>
  columns.reduce((sum, { width }) => sum + width, GAP.length * (columns.length - 1));

const toLeast = ({ ifNarrow, width }: Filled) =>
  ifNarrow === "shorten" ? Math.min(width, LEAST_WIDTH) : width;

/** The widest of those that may be shortened is made smaller again and again. */
function toWidths(columns: readonly Filled[]): readonly number[] {
  const widths = columns.map(({ width }) => width);
  const leasts = columns.map(toLeast);
  for (let over = toWhole(columns) - toTableWidth(); over > 0; over -= 1) {
    const spared = widths.filter((width, index) => width > (leasts[index] ?? 0));
    const widest = widths.findIndex(
      (width, index) => width > (leasts[index] ?? 0) && width === Math.max(...spared),
    );
    if (widest === -1) break;
    widths[widest] = (widths[widest] ?? 0) - 1;
  }
  return widths;
}

function fit(cell: string, width: number): string {
  return cell.length > width ? `${cell.slice(0, width - 1)}…` : cell.padEnd(width);
}
