// `call-media-server import`: fills an archive from files, and reports on every row.
import { existsSync } from "node:fs";
import {
  type Allowance,
  ALLOWANCES,
  FIVE9_REGIONS,
  FORMATS,
  ImportError,
  importFiles,
  type ImportOptions,
  type ImportReport,
  ImportStopped,
  parseAllowance,
} from "@call-media/import";
import { type Command, type Help, InvalidArgumentError, Option } from "commander";
import { io, toTextWidth, toWholeNumber, UsageError } from "@call-media/terminal";
import { addPlaces, toPlaces } from "../command-line/places.ts";
import { toOperator } from "../command-line/operator.ts";
import { createProgress } from "../command-line/progress.ts";
import { noteDone } from "../command-line/note-done.ts";
import { recorded } from "../command-line/recorded.ts";
import { type Brought, importContinuously } from "./import-continuous.ts";
import { explain, type ImportFlags, suggest, toReading, unlessStopped } from "./import-preview.ts";
import { printOutcome, toRejectFile } from "./import-report.ts";
import { createRowFinder, type ImportTarget, openImportTarget, toCounts } from "./import-target.ts";

const HELP = `
  $ call-media-server import --data ./archive archive.jsonl
  $ call-media-server import --data ./archive --region UK --recordings ./audio logs.zip
  $ call-media-server import --suggest log.csv.gz > columns.json
  $ call-media-server import --explain --map columns.json log.csv.gz
  $ call-media-server import --data ./archive --format csv --map columns.json log.csv.gz
  $ call-media-server import --data ./archive --format vcon --recordings ./audio --dry-run ./vcons

Without --format, the format of each file is recognised by its beginning and reported on standard error. Files may be
packed by gzip or zip. Text is UTF-8, or UTF-16 with a byte order mark. Of a workbook (.xlsx) the first sheet is read.

An import can be repeated: what the archive already has is left alone, and a record with the same identity is replaced,
which the account counts. What the policy of retention would make due at once is not taken, unless a hold would keep it. It is judged
when all other rows are written, with all rows of its call, in whatever order they came.
What a purge has erased stays out unless --restore-erased is given: the access log then names the calls that come back. Rejected rows go to a reject file of this run, with their line and the reason; the others are
imported. The first import makes the archive and sets its time zone.

The first 1,000 rows are judged before one is written. If a mapping seems wrong, dates or durations lie where no call is, or a
spreadsheet destroyed identifiers, the import stops and names the doubt, its rows and what to do. --allow passes the doubts that
it names: ${ALLOWANCES}. The access log keeps which.

--explain reads all rows and shows the fields, their first values, what is not read and what is in doubt. It opens no archive and no
recording; otherwise it ends with the exit code of the import. --dry-run also reads the recordings and compares with the archive.

--suggest prints a mapping by the names and values of the first rows. Each guess is a line under "guess". The import stops until that key is
removed, whatever is allowed: correct the fields with --explain first.

--state is for cron and systemd: a run imports each file of the paths that is new or has changed, once it has settled, and ends. A file
that a doubt stops is left aside until it or the mapping changes. A run that was killed is completed by the next one.

Use --link for recordings that stay where they are for good: one that is moved or changed is no longer sent, and
"doctor" and "verify" report it. Backups contain copies of them. An archive whose recordings are in a bucket has no links.

Exit code: 0 every row is in the archive, was erased before or is due, 1 the import could not run, 2 some rows were rejected,
4 a doubt stopped the import before anything was written, or showed only after the first rows, which it then says.`;

const toSettle = toWholeNumber(0, 86_400);

export function configureImport(entry: Command): void {
  addPlaces(entry, "the folder of the archive; made if it is missing")
    .argument("<path...>")
    .addOption(
      new Option("--format <format>", "what the files are, by a name below or of --maps").default(
        "auto",
      ),
    )
    .option("--map <file>", "a mapping: needed for csv and json, adds fields to other formats")
    .option("--maps <dir>", "a folder of mapping files that are formats, beside those below")
    .option(
      "--recordings <dir>",
      "the folder of the recordings to import (default: beside the file that names them)",
    )
    .option("--link", "keep the paths of recordings instead of copying them")
    .option(
      "--timezone <zone>",
      "IANA name of the zone of times without an offset (default: the archive's zone, UTC in a new one)",
    )
    .addOption(
      new Option("--region <region>", "the time zone of the Five9 region that wrote a log")
        .choices(Object.keys(FIVE9_REGIONS))
        .conflicts("timezone"),
    )
    .option(
      "--filename-template <template>",
      "how Five9 named the recordings: {agent_id}__{date}__{time}__{call_guid}",
    )
    .option(
      "--layout <layout>",
      "columns of an Asterisk log, where they are not recognised: csv, custom, or their names in order",
    )
    .option(
      "--rejects <file>",
      "a new file for rejected rows, if there are any (default: rejected-rows-TIME.jsonl)",
    )
    .option(
      "--orphans <file>",
      "a new file for the paths of recordings that no row names, if there are any",
    )
    .addOption(
      new Option(
        "--missing-media <what>",
        "reject a call whose recording is missing or empty, or keep its name (default: name for logs of platforms, else reject)",
      ).choices(["reject", "name"]),
    )
    .addOption(
      new Option(
        "--not-sound <what>",
        "keep a recording that is a page, a text or a program and name it, or reject its call (default: keep)",
      ).choices(["keep", "reject"]),
    )
    .option("--skip-unknown", "list and leave aside files of no known format")
    .option("--restore-erased", "import again what a purge has erased, which stays out otherwise")
    .option(
      "--allow <doubts>",
      "import in spite of these doubts, by their names and parted by commas",
      readAllowances,
    )
    .option(
      "--explain",
      "show the fields and values that would be read, and what is in doubt; open no archive",
    )
    .addOption(
      new Option(
        "--suggest",
        "print a mapping begun for a file of no known format, with what is guessed in it; open no archive",
      ).conflicts(["explain", "dryRun", "state", "map"]),
    )
    .option("--json", "with --explain: as JSON, with every doubt by its name")
    .addOption(
      new Option(
        "--state <file>",
        "for timers: import each new or changed file once, and keep in this file what became of it",
      ).conflicts(["explain", "dryRun", "rejects", "orphans"]),
    )
    .addOption(
      new Option("--settle <seconds>", "with --state: how long a file must not have changed")
        .argParser(toSettle)
        .default(60),
    )
    .option("--metrics <file>", "with --state: a file for the textfile collector of Prometheus")
    .option("--dry-run", "show what would happen, and change nothing")
    .addHelpText(
      "after",
      ({ command }) => `\nFormats:\n${toFormatList(command.createHelp())}\n${HELP}`,
    )
    .action(runImport);
}

async function runImport(paths: string[], flags: ImportFlags): Promise<void> {
  checkFormat(flags);
  checkPaths([...paths, flags.map, flags.maps, flags.recordings]);
  const timeZone = flags.region === undefined ? flags.timezone : FIVE9_REGIONS[flags.region];
  if (flags.json && !flags.explain) throw new UsageError("--json goes with --explain");
  if (flags.metrics !== undefined && flags.state === undefined)
    throw new UsageError("--metrics goes with --state");
  if (flags.suggest) return await suggest(paths);
  if (flags.explain) return await explain(paths, flags, timeZone);
  let countsRows = true;
  const bring = async (some: readonly string[], rejectFile: string) => {
    const brought = await importOnce(some, flags, { timeZone, rejectFile, countsRows });
    countsRows &&= brought.outcome instanceof ImportStopped;
    return brought;
  };
  if (flags.state !== undefined) {
    const { state, settle, metrics } = flags;
    const settings = toReading([], flags, timeZone);
    await using rows = createRowFinder(toPlaces(flags));
    const { hasRow } = rows;
    return await importContinuously(paths, { state, settle, metrics, settings, bring, hasRow });
  }
  const { outcome } = await bring(paths, flags.rejects ?? toRejectFile("."));
  const code = printOutcome(outcome, flags.dryRun);
  if (code > 0) io().exitCode = code;
}

interface Run {
  readonly timeZone: string | undefined;
  readonly rejectFile: string;
  /** See `ImportSessionOptions`. */
  readonly countsRows: boolean;
}

async function importOnce(
  paths: readonly string[],
  flags: ImportFlags,
  { timeZone, rejectFile, countsRows }: Run,
): Promise<Brought> {
  await using target = await openImportTarget({
    ...flags,
    places: toPlaces(flags),
    timeZone,
    paths,
  });
  using progress = createProgress();
  const outcome = await unlessStopped(
    importInto(target, {
      ...toReading(paths, flags, timeZone),
      store: target.store,
      isLinked: flags.link,
      rejectFile,
      countsRows,
      orphanFile: flags.orphans,
      missingMedia: flags.missingMedia,
      restoresErased: flags.restoreErased,
      onProgress: ({ read, bytesRead, bytesTotal }) => {
        const step = `${read.toLocaleString("en")} rows`;
        progress.update({ step, bytesDone: bytesRead, bytesTotal });
      },
    }),
  );
  if (!flags.dryRun && !(outcome instanceof ImportStopped))
    await noteDone(target.archive, "import");
  return { outcome, log: await target.findNewestRow() };
}

// Other formats are names of mapping files, which are read when the import begins.
function checkFormat({ format, maps }: ImportFlags): void {
  const names = ["auto", ...FORMATS.map(({ name }) => name)];
  if (maps === undefined && !names.includes(format))
    throw new UsageError(
      `--format ${format} is not a format. Allowed choices are ${names.join(", ")}, and the names of files in --maps`,
    );
}

function readAllowances(text: string): readonly Allowance[] {
  try {
    return text.split(",").map(parseAllowance);
  } catch (error) {
    throw error instanceof ImportError ? new InvalidArgumentError(error.message) : error;
  }
}

async function importInto(
  { log, asked, toOnRestoring }: ImportTarget,
  options: ImportOptions,
): Promise<ImportReport> {
  const command = { operation: "import", asked, log } as const;
  const toEnding = (report: ImportReport) => ({ counts: toCounts(report) });
  return await recorded({ ...command, toEnding, toCounts: toFailedCounts }, (run) =>
    importFiles({
      ...options,
      onRestoring: toOnRestoring(run),
      writer: { operation: "import", operator: toOperator(), run },
    }),
  );
}

const toFailedCounts = (error: unknown) =>
  error instanceof ImportError && error.report !== undefined ? toCounts(error.report) : undefined;

// Checked first, because a dry run starts by copying the archive, which may be large.
function checkPaths(paths: readonly (string | undefined)[]): void {
  const missing = paths.find((path) => path !== undefined && !existsSync(path));
  if (missing !== undefined) throw new UsageError(`${missing} is not there`);
}

// Like the list of options: in two columns, as wide as the terminal.
function toFormatList(help: Help): string {
  help.helpWidth = toTextWidth();
  const width = Math.max(...FORMATS.map(({ name }) => name.length));
  return FORMATS.map(({ name, title, hint }) =>
    help.formatItem(name, width, hint === undefined ? title : `${title}: ${hint}`, help),
  ).join("\n");
}
