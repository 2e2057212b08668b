// What an import says of itself: what the files were taken for, and what became of their rows.
import type { ImportReport, Recognised } from "@call-media/store/import";
import { toCount } from "../command-line/count.ts";
import { toPrintable } from "../printable.ts";

/** On standard error; files that are alike in a line. */
export function tellFormats(files: readonly Recognised[]): void {
  const alike = Map.groupBy(files, ({ title, because }) => `${title} (${because})`);
  for (const [what, [first, ...others]] of alike) {
    const more = others.length === 0 ? "" : ` and ${others.length.toLocaleString("en")} more`;
    console.error(toPrintable(`${first?.file}${more}: ${what}`));
  }
}

/** Of all rows, with the reasons of the first that were rejected. */
export function toAccount(
  { read, imported, unchanged, rejected, rejectFile, firstRejections, notices = [] }: ImportReport,
  isDryRun: boolean,
): string {
  const count = (n: number) => n.toLocaleString("en");
  const reasons = firstRejections.map(
    ({ file, line, reason }) => `  ${toPrintable(`${file}:${line}: ${reason}`)}`,
  );
  return [
    `${isDryRun ? "Dry run, nothing was kept: " : ""}read ${count(read)} = imported ${count(imported)} + unchanged ${count(unchanged)} + rejected ${count(rejected)}`,
    ...reasons,
    ...(rejected > reasons.length ? [`  and ${count(rejected - reasons.length)} more`] : []),
    ...(rejectFile === undefined ? [] : [`Rejected rows: ${rejectFile}`]),
    ...notices.map(({ text, rows }) => `${toCount(rows, "row")}: ${toPrintable(text)}`),
  ].join("\n");
}
