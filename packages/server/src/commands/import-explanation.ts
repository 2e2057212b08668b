// What `import --explain` prints: the fields of each file with their first values, and what is in doubt.
import type { Explanation } from "@call-media/import";
import { createTable, toTableWidth } from "@call-media/terminal";
import { toPrintable } from "@call-media/service/printable";
import { toDoubtText } from "./import-report.ts";

type ExplainedFile = Explanation["files"][number];

const COLUMNS = ["  field", "first", "second", "from"];
const SHOWN = 40;

export function toExplanationText({ files, doubts }: Explanation): string {
  const inDoubt = doubts.length === 0 ? "Nothing is in doubt." : toDoubtText(doubts, STOPPED);
  return [...files.map(toFileText), inDoubt].join("\n");
}

const STOPPED = "An import would stop.";

function toFileText({ file, fields, unread = [], rows, unfit, from, to }: ExplainedFile): string {
  const lines = fields.map(({ field, values, template = "" }) => [
    `  ${field}`,
    ...[values[0], values[1]].map((value) => cut(value ?? "-")),
    template,
  ]);
  const width = toTableWidth();
  const table = createTable({
    columns: COLUMNS,
    kept: new Set(COLUMNS),
    mayLeaveOut: false,
    width,
  });
  const moments = from === undefined ? "" : `; from ${from} to ${to}`;
  return [
    toPrintable(file),
    table.toText(lines).trimEnd(),
    ...(unread.length > 0 ? [`  not read: ${toPrintable(unread.join(", "))}`] : []),
    `  rows ${rows.toLocaleString("en")}, rejected ${unfit.toLocaleString("en")}${moments}`,
  ].join("\n");
}

function cut(text: string): string {
  const shown = text.length > SHOWN ? `${text.slice(0, SHOWN - 3).toWellFormed()}...` : text;
  return toPrintable(shown);
}
