// `call-media export`: writes the records of some days, with recordings and transcripts, to a verifiable folder.
import { type Command, InvalidArgumentError, Option } from "commander";
import { joinAll, printCondition } from "@call-media/conditions";
import { DEFAULT_TEMPLATE, FILE_KINDS, MAX_IDS, MAX_PURPOSE, METADATA } from "@call-media/handover";
import { addServiceOptions, connect } from "../access/connect.ts";
import { readTarget } from "../access/target.ts";
import { ACCESS_HELP } from "../command-line/access-help.ts";
import {
  addThrottleOptions,
  DEFAULT_CONCURRENCY,
  EXPORT_HELP,
  type ThrottleFlags,
  runExportCommand,
} from "../export/command.ts";
import { checkHandOver } from "../export/hand-over/hand-over.ts";
import type { ExportOptions } from "../export/export.ts";
import {
  type ExportFolder,
  toHandOverFolder,
  toExportFolder,
} from "../export/folder/export-folder.ts";
import { printDryRun } from "../export/dry-run.ts";
import { readPlan } from "../export/plan/plan.ts";
import { type PlanFlags, toExportPlan } from "../export/plan/export-plan.ts";
import { io, readIds, UsageError } from "@call-media/terminal";
import { createInterrupt } from "../interrupt.ts";
import { toColumns } from "../search/columns.ts";
import { toTimeZone } from "../search/time-zones.ts";
import { addFilterOptions, FILTER_HELP, type FilterFlags } from "../search/filters.ts";
import { parseWhere } from "../search/where.ts";
import { findDays, toIdCondition } from "../search/ids.ts";
import { readSpans } from "../search/mute-spans.ts";

const HELP = `${FILTER_HELP}

  $ call-media export --last 7d --dry-run
  $ call-media export --last 7d --out week
  $ call-media export --resume --out week
  $ call-media export --last 7d --format xlsx --name '{date}_{agent}_{call_id}' --out named
  $ call-media export --last 7d --redact ani,phone_number1,customer_last_name --out redacted
  $ call-media export --last 7d --hand-over week.zip
  $ call-media export --last 4w --words 'refund bill*' --out refunds

The folder gets metadata.jsonl (or .csv, .xlsx), recordings/, transcripts/, manifest.jsonl with a SHA-256 for each file, and
report.json. After any interruption, --resume continues: existing files are not fetched again, and a partial recording
is resumed. After a complete export, --resume retries the files that could not be fetched, and searches again for days
whose journal was lost, that changed while they were read, or that have another number of records now.

--hand-over makes one zip to hand over: the export in export/, index.html to read and hear the calls without a network
(up to 5,000 calls), calls.xlsx whose rows name their files, and SHA256SUMS. Until the zip is whole, the export is in
FILE.zip.export; after an interruption, continue with --resume --hand-over FILE.zip.

--for says in a line what the export is for, such as --for 'Legal, case 2026-118'. report.json and the page have it.

--columns and --tz change how the metadata looks, and nothing else: the manifest and the names of files stay. A datetime
without an offset stays as the service wrote it. To hide fields for good, take --redact.

--mute takes spans out of recordings, such as the number of a card. The file has a line for each, and needs no part for the
first recording of a call, and no channel to mute all of them:
  call_id,part,from,to,channel,reason
  300000000100170,1,3.2,5.75,,card number
from and to are seconds or h:mm:ss. What was said in the span goes from transcripts, too. The manifest has the spans, who
muted, and the SHA-256 of the original. A recording that cannot be muted is refused, and never exported as it is: WAV, MP3,
GSM, G.722 and ADPCM can. Originals are in FOLDER/.call-media until they are muted.

--name may use any field of the record, {date}, {time} and {part}. --redact masks fields for good, also where the
record repeats their values in any spelling, and in the names of recordings. A single character, and a number of fewer
than four digits, stay in other fields. The manifest says what is masked. With --redact only
metadata is exported unless you give --files, since recordings and chats may say what is masked. report.json tells
what you searched for: do not search other fields for a value that is to be masked.
${EXPORT_HELP}
${ACCESS_HELP}`;

type GivenFlags = FilterFlags & ThrottleFlags & PlanFlags;

type ExportFlags = GivenFlags & {
  readonly out?: string;
  readonly ids?: string;
  readonly mute?: string;
  readonly dryRun?: boolean;
};

export function configureExport(command: Command): void {
  addFilterOptions(addServiceOptions(command))
    .option("--words <words>", "only calls that have these words; see call-media search --help")
    .option("--where <condition>", "only records that match; see call-media search --help")
    .option(
      "--ids <file>",
      `only these calls: identifiers, one a line, at most ${MAX_IDS.toLocaleString("en")}; days are found`,
    )
    .option("--out <folder>", "the folder to export into: new, empty, or with --resume")
    .addOption(
      new Option("--hand-over <file.zip>", "instead of --out: a zip to hand over").conflicts([
        "out",
        "format",
      ]),
    )
    .option("--for <purpose>", "what it is for: a line of the report and the page", toPurpose)
    .option("--resume", "continue an export in the folder, or begin one")
    .addOption(
      new Option("--format <format>", "of the metadata; jsonl if left out").choices(
        Object.keys(METADATA),
      ),
    )
    .addOption(
      new Option("--columns <fields>", "these fields alone in the metadata, in this order")
        .argParser(toColumns)
        .conflicts("handOver"),
    )
    .option(
      "--tz <zone>",
      "with --format csv or xlsx, or --hand-over: the time zone of datetimes in the metadata",
      toTimeZone,
    )
    .addOption(
      new Option(
        "--dry-run",
        "search and count what would be exported, and write nothing",
      ).conflicts("resume"),
    )
    .option(
      "--files <kinds>",
      "recordings, transcripts, both with a comma (default), or none",
      toKinds,
    )
    .option("--name <template>", `of the files (default: "${DEFAULT_TEMPLATE}")`)
    .option("--redact <fields>", "fields to mask for good, with commas between them")
    .option("--mute <file>", "spans of recordings to mute, as CSV or JSON; - is standard input");
  addThrottleOptions(command).addHelpText("after", HELP).action(exportCalls);
}

/** @throws InvalidArgumentError if it is not one line of a reasonable length. */
function toPurpose(text: string): string {
  const purpose = text.trim();
  if (purpose === "" || /\p{Cc}/u.test(purpose) || purpose.length > MAX_PURPOSE)
    throw new InvalidArgumentError(`It must be one line of at most ${MAX_PURPOSE} characters.`);
  return purpose;
}

async function exportCalls({ out, ids, mute, dryRun, ...asked }: ExportFlags): Promise<void> {
  if (ids === "-" && mute === "-")
    throw new UsageError("--ids and --mute cannot both be standard input");
  const given = mute === undefined ? asked : { ...asked, spans: await readSpans(mute) };
  const flags =
    ids === undefined ? given : await withIds(given, await readIds(ids, { most: MAX_IDS }));
  const { handOver } = flags;
  if (dryRun) return await tryExport(flags, out);
  if (handOver !== undefined) checkHandOver(handOver, flags);
  const folder = toFolder(out, handOver);
  const toPlan: ExportOptions["toPlan"] = (there, place) => toExportPlan(there, flags, place);
  await runExportCommand({ folder, toPlan, handOver }, flags);
}

/** Without days, uses those of the calls: looks each call up once. */
async function withIds(given: GivenFlags, callIds: readonly string[]): Promise<GivenFlags> {
  const isOneOf = toIdCondition(callIds);
  const flags = { ...given, callIds, where: joinWhere(given.where, isOneOf) };
  if (given.from !== undefined || given.resume === true) return flags;
  const { client } = await connect(given);
  return { ...flags, ...(await findDays(client, callIds, createInterrupt())) };
}

function joinWhere(where: string | undefined, other: string): string {
  if (where === undefined) return other;
  return printCondition(joinAll([parseWhere(where).condition, parseWhere(other).condition]));
}

/** Plans for a folder that does not exist: a dry run needs none. */
async function tryExport(flags: ExportFlags, out: string | undefined): Promise<void> {
  const target = await readTarget(flags, io().env);
  const folder = toExportFolder(out ?? flags.handOver ?? "export");
  const isOldestFirst = target.service?.order === "oldest-first";
  const place = { path: folder.path, baseUrl: target.target.baseUrl, isOldestFirst };
  const plan = toExportPlan(out === undefined ? undefined : await readPlan(folder), flags, place);
  const limits = { max: DEFAULT_CONCURRENCY, maxBytesPerSecond: Infinity };
  const isJson = flags.json === true;
  await printDryRun({ plan, target, limits, signal: createInterrupt(), isJson });
}

function toFolder(out: string | undefined, handOver: string | undefined): ExportFolder {
  if (handOver !== undefined) return toHandOverFolder(handOver);
  if (out !== undefined) return toExportFolder(out);
  throw new UsageError("name where to export to: --out FOLDER, or --hand-over FILE.zip");
}

function toKinds(text: string): PlanFlags["files"] {
  const names = text === "none" ? [] : text.split(",").map((name) => name.trim());
  const unknown = names.find((name) => !FILE_KINDS.some((kind) => kind === name));
  if (unknown !== undefined)
    throw new InvalidArgumentError(`It must be none, or one or more of ${FILE_KINDS.join(", ")}.`);
  return FILE_KINDS.filter((kind) => names.includes(kind));
}
