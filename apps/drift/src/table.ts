// Formats figures as a table for a terminal: the first column holds names, the others numbers.

export type Line = readonly string[];

/** The first of `lines` is the head. */
export function toTable(title: string, lines: readonly Line[]): string {
  const widths = (lines[0] ?? []).map((_, column) =>
    Math.max(...lines.map((line) => line[column]?.length ?? 0)),
  );
  const toText = (line: Line) =>
    widths
      .map((width, column) =>
        column === 0 ? (line[0] ?? "").padEnd(width) : (line[column] ?? "").padStart(width),
      )
      .join("  ");
  const [head = [], ...body] = lines;
  return ["", title, "", toText(head), "-".repeat(toText(head).length), ...body.map(toText)].join(
    "\n",
  );
}
