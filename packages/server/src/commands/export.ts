// `call-media-server export`: what an archive holds, written out in a form that `import` reads back.
import { once } from "node:events";
import {
  EXPORT_FORMATS,
  exportArchive,
  type ExportFormatName,
  type ExportReport,
} from "@call-media/store/export";
import { type Command, Option } from "commander";
import { createProgress, toSize } from "./progress.ts";

const HELP = `
A folder gets the records as lines of files, the recordings in media/, each content once, and last export.manifest, which
has the number of everything and the digests of the files. It has its name only when all is in it; one that was cut off
leaves a hidden folder, .DIR-unfinished-..., beside it, which may be removed. Users and flags are in every export, whatever
the days; credentials and the access log are in none.

  $ call-media-server export --data ./archive --out ./2025 --from 2025-01-01 --to 2025-12-31
  $ call-media-server export --data ./archive --format vcon --out ./vcons
  $ call-media-server export --data ./archive | grep '"kind":"call"' | gzip > calls.jsonl.gz

  jsonl  the archive's own format: archive.jsonl
  vcon   vCons of version 0.4.0, one a line, in vcons.jsonl; what has no place in a vCon is in an attachment of each, and
         what belongs to no call in others.jsonl

Without --out the lines go to standard output, without recordings; those of vcon are the vCons alone. Days are those of the
archive's time zone, both inclusive; a call without a datetime is in an export without days alone. The service and imports
may run meanwhile.
Exit code: 0 everything was exported, 1 nothing was, 2 recordings are missing from it, which are named.`;

interface ExportFlags {
  readonly data: string;
  readonly format: ExportFormatName;
  readonly out: string;
  readonly from?: string;
  readonly to?: string;
}

const STANDARD_OUTPUT = "-";
const SOME_MISSING = 2;

export function addExportCommand(program: Command): void {
  program
    .command("export")
    .description("write an archive out, so that import reads it back")
    .requiredOption("--data <dir>", "the folder of the archive, or of a backup")
    .addOption(
      new Option("--format <format>", "how records are written")
        .choices(EXPORT_FORMATS)
        .default("jsonl"),
    )
    .option("--out <dir>", "an empty or missing folder; - for standard output", STANDARD_OUTPUT)
    .option("--from <day>", "calls of this day, YYYY-MM-DD, and later")
    .option("--to <day>", "calls of this day and earlier")
    .addHelpText("after", HELP)
    .action(async (flags: ExportFlags) => {
      using progress = createProgress();
      const report = await exportArchive({
        directory: flags.data,
        format: flags.format,
        to: flags.out === STANDARD_OUTPUT ? writeLine : flags.out,
        fromDay: flags.from,
        toDay: flags.to,
        onProgress: progress.update,
      }).catch(endQuietly);
      progress[Symbol.dispose]();
      if (report !== undefined) account(report, flags);
    });
}

async function writeLine(line: string): Promise<void> {
  if (!process.stdout.write(`${line}\n`)) await once(process.stdout, "drain");
}

// Whoever reads has seen enough: "| head".
function endQuietly(error: unknown): undefined {
  if (!(error instanceof Error && "code" in error && error.code === "EPIPE")) throw error;
}

// On standard error where the lines have the standard output.
function account(report: ExportReport, { format, out }: ExportFlags): void {
  const count = (n: number) => n.toLocaleString("en");
  const { users, flags, calls, chats, mediaFiles, mediaBytes, missing, timeZone } = report;
  const records = `${count(calls)} calls, ${count(chats)} chat messages, ${count(users)} users, ${count(flags)} flags`;
  for (const { filename, callId, fault } of missing)
    console.error(
      `not exported: ${filename} of ${callId === null ? "a call without call_id" : `call_id ${callId}`}: ${fault}`,
    );
  if (missing.length > 0) process.exitCode = SOME_MISSING;
  if (out === STANDARD_OUTPUT)
    return console.error(
      format === "vcon"
        ? `${count(calls)} calls as vCons, without recordings, users and flags: these need --out with a folder.`
        : `${records}, without recordings: these need --out with a folder.`,
    );
  console.log(
    `${records} and ${count(mediaFiles)} files of recordings (${toSize(mediaBytes)}) in ${out}.\nTo make an archive of it: call-media-server import --data DIR --timezone ${timeZone} ${out}`,
  );
}
