// What `export` and `sync` share: how hard the service is asked, and how the end is told.
import { type Command, InvalidArgumentError } from "commander";
import { readTarget, type TargetFlags } from "../access/target.ts";
import { toWholeNumber } from "../command-line/numbers.ts";
import { PARTIAL } from "../exit-codes.ts";
import { createInterrupt } from "../interrupt.ts";
import { console, io } from "../io.ts";
import { foldLabelled } from "../terminal/labelled.ts";
import { toTableWidth } from "../terminal/terminal-width.ts";
import type { PaceOptions } from "./asking/pace.ts";
import { carryOut, type ExportOptions } from "./export.ts";
import { toExportFailure } from "./failure.ts";
import { REPORT } from "./folder/files.ts";
import { toReportText } from "./proof/report-text.ts";

export interface PaceFlags extends TargetFlags {
  readonly concurrency?: number;
  readonly limitRate?: number;
  readonly json?: boolean;
}

const DEFAULT_CONCURRENCY = 8;
const MAX_CONCURRENCY = 256;

export function addPaceOptions(command: Command): Command {
  return command
    .option(
      "--concurrency <n>",
      `requests at a time (default: ${DEFAULT_CONCURRENCY}); fewer while the service is slow or refuses`,
      toWholeNumber(1, MAX_CONCURRENCY),
    )
    .option("--limit-rate <bytes>", "most bytes of recordings a second, such as 500k or 2M", toRate)
    .option("--json", "print the report as JSON");
}

export const EXPORT_HELP = `
Exit code: 0 everything that was announced is there, 3 something is missing (the first of it is listed, manifest.jsonl
has all), 1 the export was interrupted, 2 it was by Ctrl-C, SIGTERM or SIGHUP: continue with call-media export --resume. report.json has
the counts for each search.`;

/** Carries out the plan, and prints the report. */
export async function runExport(
  options: Pick<ExportOptions, "folder" | "toPlan">,
  { concurrency = DEFAULT_CONCURRENCY, limitRate = Infinity, json, ...flags }: PaceFlags,
): Promise<void> {
  const target = await readTarget(flags, io().env);
  const interrupt = createInterrupt();
  const limits: PaceOptions = { max: concurrency, maxBytesPerSecond: limitRate };
  try {
    const { report, sha256, failures } = await carryOut({ ...options, target, limits, interrupt });
    const { windows: _, ...summary } = report;
    const sealed = { file: REPORT, sha256 };
    if (json) console.log(JSON.stringify({ ...summary, report: sealed }, undefined, 2));
    else {
      const text = `${toReportText(report, failures)}\nseal     ${sha256} is the SHA-256 of ${REPORT}`;
      console.log(foldLabelled(text, toTableWidth()));
    }
    if (report.verdict === "incomplete") io().exitCode = PARTIAL;
  } catch (error) {
    throw toExportFailure(error, options.folder, interrupt);
  }
}

const FACTORS: Readonly<Record<string, number>> = { "": 1, k: 1e3, m: 1e6, g: 1e9 };

function toRate(text: string): number {
  const [, number = "", unit = ""] = /^(\d{1,9}(?:\.\d{1,3})?)([kmg]?)$/i.exec(text) ?? [];
  const value = Number(number) * (FACTORS[unit.toLowerCase()] ?? 0);
  if (value >= 1) return value;
  throw new InvalidArgumentError("It must be a number of bytes, such as 500k or 2M.");
}
