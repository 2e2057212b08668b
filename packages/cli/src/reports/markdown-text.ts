// Third-party text in Markdown: tables, cells and HTML from which it cannot break out.
import { toPrintable } from "@call-media/terminal";

/** A table as one block of text; nothing if it has no rows. */
export function toTable(
  headings: readonly string[],
  rows: readonly (readonly string[])[],
): string[] {
  const toLine = (cells: readonly string[]) => `| ${cells.map(toCell).join(" | ")} |`;
  if (rows.length === 0) return [];
  return [[toLine(headings), toLine(headings.map(() => "---")), ...rows.map(toLine)].join("\n")];
}

/** Escapes text for Markdown, in one line. */
export function toCell(text: string): string {
  return toHtml(text).replaceAll(/[\\`*_[\]|~#]/g, String.raw`\$&`);
}

/** Escapes text for HTML, in one line. Markdown ignores the content of an HTML block. */
export function toHtml(text: string): string {
  return (
    toPrintable(text)
      .replaceAll(/\s+/g, " ")
      .replaceAll("&", "&amp;")
      .replaceAll("<", "&lt;")
      .replaceAll(">", "&gt;")
      // A code host would notify the person or team of that name. A zero-width space prevents that.
      .replaceAll("@", "@\u200b")
  );
}
