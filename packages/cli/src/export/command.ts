// Options, report and exit code of the commands `export` and `sync`.
import { rm } from "node:fs/promises";
import { type Command, InvalidArgumentError } from "commander";
import { REPORT } from "@call-media/handover";
import { readTarget, type TargetFlags } from "../access/target.ts";
import { addGroupOption } from "../command-line/common-options.ts";
import {
  console,
  io,
  printAccount,
  toArgument,
  toShellWord,
  toTableWidth,
  toWholeNumber,
} from "@call-media/terminal";
import { DONE, EMPTY, PARTIAL } from "../exit-codes.ts";
import { createInterrupt } from "../interrupt.ts";
import { toResumeCommand, toServiceCommand } from "../terminal/shell-command.ts";
import { foldLabelled } from "../terminal/labelled.ts";
import { toHandedWords } from "./hand-over/hand-over.ts";
import { type ExportOptions, type ExportResult, runExport } from "./export.ts";
import { toExportFailure } from "./failure.ts";
import { toReportText } from "./proof/report-text.ts";

export interface ThrottleFlags extends TargetFlags {
  readonly concurrency?: number;
  readonly limitRate?: number;
  readonly json?: boolean;
}

export const DEFAULT_CONCURRENCY = 8;
const MAX_CONCURRENCY = 256;

export function addThrottleOptions(command: Command): Command {
  return addGroupOption(command)
    .option(
      "--concurrency <n>",
      `requests at a time (default: ${DEFAULT_CONCURRENCY}); fewer while the service is slow or refuses`,
      toWholeNumber(1, MAX_CONCURRENCY),
    )
    .option("--limit-rate <bytes>", "most bytes of recordings a second, such as 500k or 2M", toRate)
    .option("--json", "print the report as JSON");
}

export const EXPORT_HELP = `
Exit code: 0 everything that was announced is there, 3 something is missing (the first 20 reasons are listed,
manifest.jsonl has all files), 4 no call was found, 1 the export was interrupted, 130, 143 and 129 it was by Ctrl-C, SIGTERM and SIGHUP:
continue with call-media export --resume. Failed files are tried once more at the end. report.json has the counts for
each search. The last line is the command to run next.`;

/** Runs the export, and prints the report. */
export async function runExportCommand(
  options: Pick<ExportOptions, "folder" | "toPlan" | "handOver">,
  { concurrency = DEFAULT_CONCURRENCY, limitRate = Infinity, json, ...flags }: ThrottleFlags,
): Promise<void> {
  const target = await readTarget(flags, io().env);
  const interrupt = createInterrupt();
  const limits = { max: concurrency, maxBytesPerSecond: limitRate };
  try {
    const { folder, handOver } = options;
    const result = await runExport({ ...options, target, limits, interrupt, isConfirming: true });
    const { report, seal, failures, zip } = result;
    const { windows: _, ...summary } = report;
    const code = EXIT_CODES[report.verdict];
    const next = toNext(result, options, flags);
    if (json) {
      const sealed = zip ? { handOver: { ...zip, seal } } : {};
      const inFolder = zip ? summary : { ...summary, report: { file: REPORT, sha256: seal } };
      console.log(JSON.stringify({ ...inFolder, ...sealed, next }, undefined, 2));
    } else {
      const lines = [
        toReportText(report, failures),
        `seal     ${seal} is the SHA-256 of ${zip?.file ?? REPORT}`,
        ...(zip ? [`zip      ${toHandedWords(zip)}`] : []),
      ];
      const text = foldLabelled(lines.join("\n"), toTableWidth());
      printAccount(`${text}\nnext     ${next}`, code === DONE);
    }
    if (code !== DONE) io().exitCode = code;
    // The zip contains a finished export, and an empty export has nothing to hand over.
    if (handOver !== undefined && isFinished(report)) await rm(folder.path, { recursive: true });
  } catch (error) {
    throw toExportFailure(error, { folder: options.folder, signal: interrupt, flags });
  }
}

const EXIT_CODES = { complete: DONE, incomplete: PARTIAL, empty: EMPTY } as const;

/** True if another run could not add anything: missing calls of a list will not appear. */
const isFinished = ({ verdict, faults, ids }: ExportResult["report"]): boolean =>
  verdict !== "incomplete" || faults.length === Number((ids?.missing.length ?? 0) > 0);

/** The next command to run. It contains no secrets. */
function toNext(
  { report, seal, zip }: ExportResult,
  { folder: { path, named } }: Pick<ExportOptions, "folder">,
  flags: TargetFlags,
): string {
  const { verdict, from, to, filter, where } = report;
  if (!isFinished(report)) return toResumeCommand(named, flags);
  if (verdict !== "empty")
    return `call-media verify ${toShellWord(zip?.file ?? path)} --seal ${seal}`;
  // Shows the filter of an empty search, to explain the result.
  const values = Object.entries(filter).flatMap(([field, value]) => [
    `--${field.replaceAll("_", "-")}`,
    toArgument(String(value)),
  ]);
  const condition = where === null ? [] : ["--where", toArgument(where)];
  return toServiceCommand(
    ["search", "--from", from, "--to", to, ...values, ...condition].join(" "),
    flags,
  );
}

const FACTORS: Readonly<Record<string, number>> = { "": 1, k: 1e3, m: 1e6, g: 1e9 };

function toRate(text: string): number {
  const [, number = "", unit = ""] = /^(\d{1,9}(?:\.\d{1,3})?)([kmg]?)$/i.exec(text) ?? [];
  const value = Number(number) * (FACTORS[unit.toLowerCase()] ?? 0);
  if (value >= 1) return value;
  throw new InvalidArgumentError("It must be a number of bytes, such as 500k or 2M.");
}
