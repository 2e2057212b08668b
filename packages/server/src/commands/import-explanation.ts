// The output of `import --explain`: the fields of each file with their first values, and the doubts.
import type { Explanation } from "@call-media/import";
import { createTable, toTableWidth } from "@call-media/terminal";
import { toPrintable } from "@call-media/service/printable";
import { toDoubtText, toMore } from "./import-report.ts";

type ExplainedFile = Explanation["files"][number];

const COLUMNS = ["field", "first", "second", "from"];
const SHOWN = 40;
const INDENT = "  ";

export function toExplanationText({ files, doubts, isStopped }: Explanation): string {
  const outcome = isStopped ? STOPPED : LATE;
  const inDoubt = doubts.length === 0 ? "Nothing is in doubt." : toDoubtText(doubts, outcome);
  return [...files.map(toFileText), inDoubt].join("\n");
}

export const STOPPED = "An import would stop, and write nothing.";
const LATE =
  "An import would write all rows and then end with exit code 4: this shows only after the first ones.";

function toFileText(explained: ExplainedFile): string {
  const { file, fields, unread = [], rows, unfit, firstUnfit, from, to } = explained;
  const lines = fields.map(({ field, values, template = "" }) => [
    field,
    ...[values[0], values[1]].map((value) => cut(value ?? "-")),
    template,
  ]);
  const width = toTableWidth() - INDENT.length;
  const table = createTable({
    columns: COLUMNS,
    kept: new Set(COLUMNS),
    mayLeaveOut: false,
    width,
  });
  const moments = from === undefined ? "" : `; from ${from} to ${to}`;
  return [
    toPrintable(file),
    table.toText(lines).trimEnd().replaceAll(/^/gm, INDENT),
    ...(unread.length > 0 ? [`  not read: ${toPrintable(unread.join(", "))}`] : []),
    `  rows ${rows.toLocaleString("en")}, rejected ${unfit.toLocaleString("en")}${moments}`,
    ...firstUnfit.map((fault) => `    ${toPrintable(fault)}`),
    ...toMore(unfit - firstUnfit.length).map((more) => `  ${more}`),
  ].join("\n");
}

function cut(text: string): string {
  const shown = text.length > SHOWN ? `${text.slice(0, SHOWN - 3).toWellFormed()}...` : text;
  return toPrintable(shown);
}
