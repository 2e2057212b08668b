// What `export` and `sync` share: how hard the service is asked, and how the end is told.
import { type Command, InvalidArgumentError } from "commander";
import { REPORT } from "@call-media/handover";
import { readTarget, type TargetFlags } from "../access/target.ts";
import { toWholeNumber } from "../command-line/numbers.ts";
import { DONE, EMPTY, PARTIAL } from "../exit-codes.ts";
import { createInterrupt } from "../interrupt.ts";
import { console, io } from "../io.ts";
import { toResumeCommand, toServiceCommand } from "../terminal/shell-command.ts";
import { toArgument, toShellWord } from "../terminal/shell-word.ts";
import { foldLabelled } from "../terminal/labelled.ts";
import { toTableWidth } from "../terminal/terminal-width.ts";
import type { PaceOptions } from "./asking/pace.ts";
import { type Carried, carryOut, type ExportOptions } from "./export.ts";
import { toExportFailure } from "./failure.ts";
import { packBundle, toBundleWords, toUnpackCommand } from "./bundle/bundle.ts";
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
has all), 4 there is no call in the folder, 1 the export was interrupted, 2 it was by Ctrl-C, SIGTERM or SIGHUP: continue
with call-media export --resume. What failed is tried once more before that is told. report.json has the counts for each
search. The last line is the command to run next.`;

/** Carries out the plan, and prints the report. */
export async function runExport(
  options: Pick<ExportOptions, "folder" | "toPlan" | "bundle">,
  { concurrency = DEFAULT_CONCURRENCY, limitRate = Infinity, json, ...flags }: PaceFlags,
): Promise<void> {
  const target = await readTarget(flags, io().env);
  const interrupt = createInterrupt();
  const limits: PaceOptions = { max: concurrency, maxBytesPerSecond: limitRate };
  try {
    const carried = await carryOut({ ...options, target, limits, interrupt });
    const { report, sha256, failures } = carried;
    const { folder } = options;
    const bundle =
      options.bundle === undefined
        ? undefined
        : await packBundle(options.bundle, { folder, carried, signal: interrupt });
    const { windows: _, ...summary } = report;
    const sealed = { file: REPORT, sha256 };
    const next = toNext(carried, options, flags);
    if (json)
      console.log(JSON.stringify({ ...summary, report: sealed, bundle, next }, undefined, 2));
    else {
      const text = [
        toReportText(report, failures),
        `seal     ${sha256} is the SHA-256 of ${REPORT}`,
        ...(bundle === undefined ? [] : [`bundle   ${toBundleWords(bundle)}`]),
      ];
      console.log(foldLabelled(text.join("\n"), toTableWidth()));
      console.log(`next     ${next}`);
    }
    const code = EXIT_CODES[report.verdict];
    if (code !== DONE) io().exitCode = code;
  } catch (error) {
    throw toExportFailure(error, { folder: options.folder, signal: interrupt, flags });
  }
}

const EXIT_CODES = { complete: DONE, incomplete: PARTIAL, empty: EMPTY } as const;

/** The command that goes on from here: it has no secret in it. */
function toNext(
  { report, sha256 }: Pick<Carried, "report" | "sha256">,
  { folder: { path, named }, bundle }: Pick<ExportOptions, "folder" | "bundle">,
  flags: TargetFlags,
): string {
  const { verdict, from, to, filter, where } = report;
  if (verdict === "incomplete") return toResumeCommand(named, flags);
  if (verdict === "complete" && bundle !== undefined) return toUnpackCommand(bundle, sha256);
  if (verdict === "complete") return `call-media verify ${toShellWord(path)} --seal ${sha256}`;
  // A search of the same says why it finds nothing.
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
