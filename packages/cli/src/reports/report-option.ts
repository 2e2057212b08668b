// `--report junit=report.xml`: writes the report of one run in additional formats, each to its own file.
import { InvalidArgumentError, Option } from "commander";
import { checkWritable } from "../files/output-file.ts";
import { replaceFile } from "../files/written-files.ts";

/** A report for each format, as text. */
export type Formats<Report> = Readonly<Record<string, (report: Report) => string>>;

interface ReportFile {
  readonly format: string;
  readonly file: string;
}

export interface ReportFlags {
  readonly report?: readonly ReportFile[];
}

export function createReportOption(names: readonly string[]): Option {
  return new Option(
    "--report <format=file>",
    `write the report to a file as well, in any of the formats; may be repeated`,
  ).argParser((text: string, before?: readonly ReportFile[]) => {
    const [, format = "", file = ""] = /^([a-z]+)=(.+)$/.exec(text) ?? [];
    if (!names.includes(format))
      throw new InvalidArgumentError(
        `It must be a format and a file, such as junit=report.xml; formats: ${names.join(", ")}.`,
      );
    return [...(before ?? []), { format, file }];
  });
}

/** True if a report in this format goes to standard output or to a file. */
export function isAsked(format: string, flags: ReportFlags & { readonly format: string }): boolean {
  return flags.format === format || (flags.report ?? []).some((one) => one.format === format);
}

/** @throws UsageError before the run, if writing would fail after it. */
export function checkReports({ report = [] }: ReportFlags): void {
  for (const { file } of report) checkWritable("--report", file);
}

/** Only the owner may read the files: a report may contain personal data of an archive. */
export async function writeReports<Report>(
  { report = [] }: ReportFlags,
  formats: Formats<Report>,
  content: Report,
): Promise<void> {
  await doEach(
    report.map(
      ({ format, file }) =>
        () =>
          replaceFile(file, `${formats[format]?.(content) ?? ""}\n`),
    ),
  );
}

/** Runs all steps even if one fails, so that one failed report does not prevent the others. @throws the first error. */
export async function doEach(steps: readonly (() => unknown)[]): Promise<void> {
  const faults: unknown[] = [];
  for (const step of steps)
    try {
      await step();
    } catch (error) {
      faults.push(error);
    }
  if (faults.length > 0) throw faults[0];
}
