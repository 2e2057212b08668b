// The report of an import: the formats of the files, and the results of their rows.
import { existsSync } from "node:fs";
import { join } from "node:path";
import {
  type Doubt,
  type ImportReport,
  ImportStopped,
  listAllowances,
  type NamedRow,
  type Recognised,
  type SkippedFile,
  toSummary,
} from "@call-media/import";
import { console, toCounted } from "@call-media/terminal";
import { toPrintable } from "@call-media/service/printable";

/** Prints to standard error: similar files in one line, and each skipped file. */
export function printFormats(files: readonly Recognised[], skipped: readonly SkippedFile[]): void {
  const alike = Map.groupBy(files, ({ title, because }) => `${title} (${because})`);
  for (const [what, [first, ...others]] of alike) {
    const more = others.length === 0 ? "" : ` and ${others.length.toLocaleString("en")} more`;
    console.error(toPrintable(`${first?.file}${more}: ${what}`));
  }
  for (const { file, reason } of skipped) console.error(toPrintable(`skipped: ${file} ${reason}`));
}

export const SOME_REJECTED = 2;
export const IN_DOUBT = 4;

/** Prints the report and returns its exit code. */
export function printOutcome(outcome: ImportReport | ImportStopped, isDryRun = false): number {
  if (outcome instanceof ImportStopped) {
    console.error(toDoubtText(outcome.doubts, "Nothing was written."));
    return IN_DOUBT;
  }
  console.log(toReportText(outcome, isDryRun));
  if (outcome.doubts?.some(({ effect }) => effect === "stop")) return IN_DOUBT;
  return outcome.rejected > 0 ? SOME_REJECTED : 0;
}

/** An unused name in the directory, because each run has its own file, also beside another that began in the same second. */
export function toRejectFile(folder: string): string {
  const stamp = new Date().toISOString().replace(/\..*/, "Z").replaceAll(":", "");
  for (let run = 1; ; run += 1) {
    const name = join(
      folder,
      `rejected-rows-${stamp}-${process.pid}${run === 1 ? "" : `-${run}`}.jsonl`,
    );
    if (!existsSync(name)) return name;
  }
}

/** Counts all rows, with the reasons of the first rejected ones. */
export function toReportText(report: ImportReport, isDryRun: boolean): string {
  const { rejected, rejectFile, firstRejections, notices = [], doubts = [] } = report;
  const { skipped = [], leftOut = [] } = report;
  const reasons = firstRejections.map(
    ({ file, line, reason }) => `  ${toPrintable(`${file}:${line}: ${reason}`)}`,
  );
  return [
    `${isDryRun ? "Dry run, nothing was kept: " : ""}${toSummary(report)}`,
    ...reasons,
    ...toMore(rejected - reasons.length),
    ...(rejectFile === undefined ? [] : [`Rejected rows: ${rejectFile}`]),
    ...toNames("Replaced what the archive had of:", report.replaced, report.firstReplacements),
    ...toNames(
      "Erased by a purge before, and left out (--restore-erased imports them again):",
      report.erased,
      report.firstErased,
    ),
    ...toNames(
      "Due by the policy of retention, and left out (`retention show` prints it):",
      report.due ?? 0,
      report.firstDue ?? [],
    ),
    ...(skipped.length > 0
      ? [`Skipped: ${toCounted(skipped.length, "file")} of no known format`]
      : []),
    ...leftOut.map(({ file, reason }) => `Not read: ${toPrintable(`${file}: ${reason}`)}`),
    ...notices.flatMap(({ text, rows, first = [] }) => [
      `${toCounted(rows, "row")}: ${toPrintable(text)}`,
      ...first.map((name) => `  ${toPrintable(name)}`),
      ...(first.length > 0 ? toMore(rows - first.length) : []),
    ]),
    ...(doubts.length > 0 ? [toDoubtText(doubts, WRITTEN)] : []),
  ].join("\n");
}

const WRITTEN =
  "All rows were written: this showed only after the first ones. Correct it and import again, which replaces them.";

/** The doubts and the advice; `outcome` follows if a doubt stops the import. */
export function toDoubtText(doubts: readonly Doubt[], outcome: string): string {
  const lines = doubts.flatMap((doubt) => {
    const { name, effect, text, count, unit, first, advice } = doubt;
    const allowances = effect === "stop" ? listAllowances(doubt).join(",") : "";
    const passing = allowances === "" ? "" : ` To import it as it is: --allow ${allowances}`;
    return [
      toPrintable(
        `${effect === "stop" ? "STOP" : "warn"} ${name}: ${toCounted(count, unit)}: ${text}`,
      ),
      ...first.map((one) => `  ${toPrintable(one)}`),
      ...toMore(count - first.length),
      toPrintable(`  ${advice}.${passing}`),
    ];
  });
  const isStopped = doubts.some(({ effect }) => effect === "stop");
  return [...lines, ...(isStopped ? [outcome] : [])].join("\n");
}

export const toMore = (more: number) =>
  more > 0 ? [`  and ${more.toLocaleString("en")} more`] : [];

function toNames(what: string, rows: number, first: readonly NamedRow[]): string[] {
  if (rows === 0) return [];
  const names = first.map(
    ({ file, line, record }) => `  ${toPrintable(`${record} (${file}:${line})`)}`,
  );
  return [what, ...names, ...toMore(rows - names.length)];
}
