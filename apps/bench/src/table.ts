// Figures as a table for a terminal: the first column is the name of a line, the others are numbers.

export type Line = readonly string[];

/** The first of `lines` is the head. */
export function printTable(title: string, lines: readonly Line[]): void {
  const widths = (lines[0] ?? []).map((_, column) =>
    Math.max(...lines.map((line) => line[column]?.length ?? 0)),
  );
  const toText = (line: Line) =>
    widths
      .map((width, column) => {
        const text = line[column] ?? "";
        return column === 0 ? text.padEnd(width) : text.padStart(width);
      })
      .join("  ");
  const [head = [], ...body] = lines;
  const rule = "-".repeat(toText(head).length);
  console.log(["", title, "", toText(head), rule, ...body.map(toText)].join("\n"));
}
