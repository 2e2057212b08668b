// `call-media-server export`: writes the contents of an archive in a form that `import` can read.
import { once } from "node:events";
import {
  EXPORT_FORMATS,
  exportArchive,
  type ExportFormatName,
  type ExportReport,
} from "@call-media/import/export";
import { openMaintenance } from "@call-media/store/open";
import { type Command, Option } from "commander";
import { console, io, toCounted, toShellWord, toSize, UsageError } from "@call-media/terminal";
import { createDamagedOption, type DamagedFlag, toDamagedLines } from "../command-line/damage.ts";
import { createProgress } from "../command-line/progress.ts";
import { type Ending, recorded } from "../command-line/recorded.ts";
import { addPlaces, type PlaceFlags, toPlaces } from "../command-line/places.ts";
import { toHistoryLine } from "./history-formats.ts";
import { toPrintable } from "@call-media/service/printable";

const HELP = `
The folder gets the records as lines of files, the recordings in media/, each content once, and export.manifest with
the numbers of everything and the digests of the files. It appears under its name only when it is complete; an
interrupted export leaves a hidden folder beside it, .DIR-unfinished-..., which you may remove. Users and flags are in
every export, whatever the days; credentials and the access log are in none.

  $ call-media-server export --data ./archive --out ./2025 --from 2025-01-01 --to 2025-12-31
  $ call-media-server export --data ./archive --format vcon --out ./vcons
  $ call-media-server export --data ./archive | grep '"kind":"call"' | gzip > calls.jsonl.gz

  jsonl  the archive's own format: archive.jsonl
  vcon   vCons of version 0.4.0, one a line, in vcons.jsonl; what a vCon has no
         place for is in its attachments, what belongs to no call in
         others.jsonl

Without --out the lines go to standard output, without recordings, and for vcon only the vCons. Days are those of the
archive's time zone, both included; a call without a datetime is only in an export without days. The service and
imports may run meanwhile.

--with-history adds history.jsonl: the states that imports have replaced, one a line as "history --json" prints them, with who brought
and who replaced each. For people: an import reads only the current records. Recordings of earlier states alone are named by their
SHA-256, and not copied.

A record that is not what was imported (a disk has changed it) is in no export: the import of that would call it well. It
is named, and there is no folder, unless --damaged skip leaves it out; export.manifest then names it as well.

Exit code: 0 everything was exported, 1 nothing was, or records are damaged, 2 everything but recordings that are
missing, or records left out by --damaged skip. What is not in the export is listed.`;

interface ExportFlags extends PlaceFlags, DamagedFlag {
  readonly format: ExportFormatName;
  readonly out: string;
  readonly from?: string;
  readonly to?: string;
  readonly withHistory?: true;
}

const STANDARD_OUTPUT = "-";
const SOME_DAMAGED = 1;
const SOME_MISSING = 2;

export function configureExport(command: Command): void {
  addPlaces(command, "the folder of the archive, or of a backup")
    .addOption(
      new Option("--format <format>", "how records are written")
        .choices(Object.keys(EXPORT_FORMATS))
        .default("jsonl"),
    )
    .option("--out <dir>", "an empty or new folder; - for standard output", STANDARD_OUTPUT)
    .option("--from <day>", "the first day, YYYY-MM-DD")
    .option("--to <day>", "the last day, included")
    .option("--with-history", "also write the earlier states, to history.jsonl")
    .addOption(createDamagedOption("skip: export without the records that are damaged"))
    .addHelpText("after", HELP)
    .action(async (flags: ExportFlags) => {
      if (flags.withHistory && flags.out === STANDARD_OUTPUT)
        throw new UsageError("--with-history writes a file of its own: give --out with a folder");
      using progress = createProgress();
      const archive = await openMaintenance(toPlaces(flags));
      const { format, out, from = null, to = null } = flags;
      const place = out === STANDARD_OUTPUT ? null : out;
      const asked = { format, out: place, from, to, ...(flags.withHistory && { history: true }) };
      const act = { operation: "export", asked } as const;
      const report = await recorded({ log: archive, ...act, toEnding }, () =>
        exportArchive({
          archive,
          format: EXPORT_FORMATS[format],
          to: out === STANDARD_OUTPUT ? writeLine : out,
          fromDay: flags.from,
          toDay: flags.to,
          toHistoryLine: flags.withHistory && toHistoryLine,
          skipsDamaged: flags.damaged === "skip",
          onProgress: progress.update,
        }),
      ).catch(endQuietly);
      progress[Symbol.dispose]();
      if (report !== undefined) account(report, flags);
    });
}

function toEnding(report: ExportReport): Ending {
  const { users, flags, calls, chats, mediaFiles, missing, damaged, isWritten } = report;
  const left = { missing: missing.length, damaged: damaged.length };
  if (!isWritten) return { outcome: "failed", reason: "damaged", counts: left };
  return { counts: { users, flags, calls, chats, files: mediaFiles, ...left } };
}

async function writeLine(line: string): Promise<void> {
  if (!io().stdout.write(`${line}\n`)) await once(io().stdout, "drain");
}

// The reader has closed the pipe, as "| head" does.
function endQuietly(error: unknown): undefined {
  if (!(error instanceof Error && "code" in error && error.code === "EPIPE")) throw error;
}

// On standard error if the lines go to standard output.
function account(report: ExportReport, { format, out, damaged: wanted }: ExportFlags): void {
  const { users, flags, calls, chats, mediaFiles, mediaBytes, missing, timeZone } = report;
  const { damaged, isWritten } = report;
  for (const line of toDamagedLines(damaged)) console.error(line);
  const records = `${toCounted(calls, "call")}, ${toCounted(chats, "chat message")}, ${toCounted(users, "user")}, ${toCounted(flags, "flag")}`;
  for (const { filename, callId, fault } of missing)
    console.error(
      toPrintable(
        `not exported: ${filename} of ${callId === null ? "a call without call_id" : `call_id ${callId}`}: ${fault}`,
      ),
    );
  if (missing.length + damaged.length > 0) io().exitCode = SOME_MISSING;
  if (damaged.length > 0 && wanted !== "skip") io().exitCode = SOME_DAMAGED;
  if (damaged.length > 0 && isWritten)
    console.error(`Left out, as damaged: ${toCounted(damaged.length, "row")}.`);
  if (!isWritten)
    return console.error(
      `Nothing was exported: ${toCounted(damaged.length, "row")} damaged. To export the rest: --damaged skip`,
    );
  if (out === STANDARD_OUTPUT)
    return console.error(
      format === "vcon"
        ? `${toCounted(calls, "call")} as vCons, without recordings, users and flags: these need --out with a folder.`
        : `${records}, without recordings: these need --out with a folder.`,
    );
  // The start of an empty file does not reveal its format.
  const option = users + flags + calls + chats === 0 ? `--format ${format} ` : "";
  const past = report.states === undefined ? "" : `, ${toCounted(report.states, "earlier state")}`;
  console.log(
    `${records} and ${toCounted(mediaFiles, "file")} of recordings (${toSize(mediaBytes)})${past} in ${out}.\nTo make an archive of it: call-media-server import --data DIR --timezone ${timeZone} ${option}${toShellWord(out)}`,
  );
}
