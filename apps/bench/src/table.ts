// Prints figures as a table on a terminal: the first column names the line, the others are numbers.

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
