// `call-media search`: finds calls by days and values, and prints them as a table or for programs.
import {
  type CallFilter,
  type ChatCount,
  createCallFilter,
  createClock,
  toJudge,
  createShowDatetime,
} from "@call-media/conditions";
import { type CallTally, createCallTally, type Field } from "@call-media/handover";
import { type Command, Option } from "commander";
import { addServiceOptions } from "../access/connect.ts";
import type { TargetFlags } from "../access/target.ts";
import { ACCESS_HELP } from "../command-line/access-help.ts";
import { addGroupOption } from "../command-line/common-options.ts";
import { createJsonOption } from "../command-line/json-option.ts";
import {
  console,
  createPaint,
  createProgressLine,
  io,
  readIds,
  type Paint,
  type ProgressLine,
  toCounted,
  toPrintable,
  toProgressOutput,
  toTableWidth,
  toWholeNumber,
  UsageError,
} from "@call-media/terminal";
import { CommandFailure } from "../failures/command-failure.ts";
import { checkWritable, chooseFormat, STDOUT } from "../files/output-file.ts";
import { openReplacement } from "../files/written-files.ts";
import { createInterrupt } from "../interrupt.ts";
import type { CallRecord } from "@call-media/client";
import { toCallsAndLegs } from "../search/counting.ts";
import type { FoundFew } from "../search/wider.ts";
import { toColumns, toField } from "../search/columns.ts";
import { addFilterOptions, FILTER_HELP, type FilterFlags } from "../search/filters.ts";
import { openService } from "../search/service-source.ts";
import type { Found } from "../search/found.ts";
import type { Asked, Source } from "../search/source.ts";
import {
  addWordsOptions,
  readWords,
  type WantedWords,
  WORDS_HELP,
  type WordsFlags,
} from "../search/words.ts";
import { RECORD_FORMATS, type RecordFormatName } from "../search/formats/formats.ts";
import type { RecordFormat } from "../search/formats/record-format.ts";
import { createSnippetTable } from "../search/formats/snippet-table.ts";
import { toTimeZone } from "../search/time-zones.ts";
import { createUnreadable, type Unreadable } from "../search/unreadable.ts";
import { parseWhere, type Where } from "../search/where.ts";
import { openOutput, printText, type Write } from "../terminal/output.ts";

const HELP = `${FILTER_HELP}

  $ call-media search --last 7d --agent leila.benali
  $ call-media search --last 7d --out week.xlsx
  $ call-media search --last 4w --where 'talk_time > 300 && disposition ~ "outage"'
  $ call-media search --last 4w --words 'refund "early termination" bill*'
  $ call-media search --last 4w --words refund --group-by agent
  $ call-media export --last 4w --out archive
  $ call-media search --in archive --words 'refund "early termination" bill*'
${WORDS_HELP}

--in searches the folder of an export, or an unpacked hand-over, without the service and without credentials. All options to search by
work, fields of both kinds at once too; days may be left out. If the index of the folder is missing or out of date, it is updated first: see call-media index
--help.

--count prints how many records there are, --group-by how many of each value of a field or of each day. The service
counts where it can; else every record is read.

Days are those of --tz, else of the archive: the same calls from the service and from a folder. Of another zone than the
archive's, every record is read. The folder of an export that does not name the archive's zone has them as written.

--where compares any field of a record by == != < <= > >= and ~ (contains) with a number, a "text", a datetime such as
2026-03-01T09:30:00Z, or null; talk and handling times also with 10m or 10:00. Letter case does not count; for ~ neither
do accents, nor what stands between words. A telephone number is found in any notation, by its end. && || ! and brackets
combine conditions. The service finds telephone numbers; else it knows no such search, so every record that these and the
other options find is read and compared here. transcript ~ looks at what was said and at what was written: the chat of a
call is read where its transcript does not decide. A datetime without an offset is compared with what each record has
written, whatever its offset; with --tz, with the time in that zone. One with an offset is compared with the moment, in the
zone of the archive where a record has no offset. A text in datetime that is none is named in a warning: only != is
true for it.

For a spreadsheet, take --format xlsx: identifiers and numbers stay as they are, and next to datetime stands a date, in
the zone of --tz, else in the archive's, else in UTC. In CSV, a value that begins like a formula gets an apostrophe
before it, even +49 30 1234; jsonl has every value unchanged. --tz changes how datetimes look in tables and CSV, and
the days.
Datetimes without an offset are in the archive's time zone; where neither the service names it nor login --service has
saved it, they stay as they are.

If the search ends with a warning, the archive changed meanwhile and records may be missing.
${ACCESS_HELP}`;

interface SearchFlags extends TargetFlags, WordsFlags {
  readonly in?: string;
  readonly count?: boolean;
  readonly ids?: string;
  readonly groupBy?: Field | "day";
  readonly where?: Where;
  readonly format?: RecordFormatName;
  readonly out?: string | undefined;
  readonly columns?: readonly Field[];
  readonly limit?: number;
  readonly tz?: string;
}

type FormatFlags = SearchFlags & Required<Pick<SearchFlags, "format">>;

const PLAIN: Paint = (_style, text) => text;

/** A file has no width limit. */
const toWidth = ({ out }: FormatFlags) => (out === undefined ? toTableWidth() : Infinity);

export function configureSearch(command: Command): void {
  addGroupOption(addWordsOptions(addFilterOptions(addServiceOptions(command))))
    .option("--where <condition>", "only records that meet it; see below", (text: string) =>
      parseWhere(text),
    )
    .addOption(
      new Option(
        "--format <format>",
        "of the records; if left out, by the ending of --out, or a table",
      ).choices(Object.keys(RECORD_FORMATS)),
    )
    .addOption(
      new Option(
        "--out <file>",
        "the file to write, which is replaced; if left out or -, standard output",
      ).conflicts(["count", "groupBy"]),
    )
    .addOption(createJsonOption())
    .option("--columns <fields>", "these fields alone, with commas between them", toColumns)
    .addOption(
      new Option("--count", "how many there are, and no more").conflicts([
        "groupBy",
        "columns",
        "limit",
      ]),
    )
    .addOption(
      new Option("--group-by <field>", "how many there are of each value of a field, or day")
        .argParser(toGroup)
        .conflicts(["columns", "limit"]),
    )
    .addOption(
      new Option(
        "--ids <file>",
        "instead of days: identifiers of calls, one a line; - is standard input",
      )
        .conflicts(["from", "to", "month", "last", "on", "words", "who", "phone"])
        .conflicts(["count", "groupBy"]),
    )
    .addOption(
      new Option(
        "--in <folder>",
        "an export on this machine, instead of the service; days are optional then",
      ).conflicts(["baseUrl", "profile", "chatRequests"]),
    )
    .option("--limit <n>", "end after so many records", toWholeNumber(1))
    .option(
      "--tz <zone>",
      "show datetimes, and take days, in this time zone, such as Europe/Berlin",
      toTimeZone,
    )
    .addHelpText("after", HELP)
    .action(search);
}

async function search(given: SearchFlags & FilterFlags): Promise<void> {
  const out = given.out === STDOUT ? undefined : given.out;
  const format = given.format ?? chooseFormat(out, RECORD_FORMATS, "table");
  const flags = { ...given, out, format } as const;
  checkWritable("--out", out);
  const isText = RECORD_FORMATS[format].printGroups !== undefined;
  if (!isText && out === undefined && io().stdout.isTTY)
    throw new UsageError(
      `${format} is not text for a terminal: write it to a file, --out calls.${format}`,
    );
  if (!isText && (flags.count || flags.groupBy !== undefined))
    throw new UsageError("--count and --group-by go with another --format");
  using progress = createProgressLine(toProgressOutput());
  const words = readWords(flags, {
    onFilteredHere: (chatRequests) => console.info(toFilteredHere(chatRequests)),
    onChat: (read) => progress.show(`${toCounted(read, "chat")} read`),
  });
  const ids = flags.ids === undefined ? undefined : await readIds(flags.ids);
  const asked = { ids, signal: createInterrupt(), progress };
  await using source = await openSource(flags, words, asked);
  const unreadable = createUnreadable();
  const wanting = createWanting(flags, { source, words, progress, unreadable });
  const task = { source, progress, wanting, words };
  await (flags.count || flags.groupBy !== undefined ? countFound : list)(flags, task);
  unreadable.tell();
  tellChats(wanting.chats, flags.in);
}

/** Loads the code of a source only when it is used. */
async function openSource(
  flags: FormatFlags & FilterFlags,
  words: WantedWords | undefined,
  asked: Asked & Pick<Task, "progress">,
): Promise<Source> {
  if (flags.in === undefined) return await openService(flags, words, asked);
  const { openFolderSource } = await import("../search/folder-source.ts");
  return await openFolderSource({ ...flags, in: flags.in }, words, asked);
}

interface Task {
  readonly source: Source;
  readonly progress: ProgressLine;
  readonly wanting: CallFilter;
  readonly words: WantedWords | undefined;
}

const toFilteredHere = (chatRequests: number) =>
  `The service does not search by words: every record that the other options find is read and compared here${chatRequests === 0 ? "" : `, and of the rest ${toCounted(chatRequests, "chat")} at most`}`;

async function list(flags: FormatFlags, task: Task): Promise<void> {
  const { source, progress, wanting, words } = task;
  const found = source.open();
  const { limit = Infinity } = flags;
  await using file = flags.out === undefined ? undefined : await openReplacement(flags.out);
  const write = file?.write ?? openOutput();
  const wish: Wish = { filter: wanting.filter, limit, progress, write };
  const { tally, first, warning } = await print(found, wish, () => {
    const format = createFormat(flags, source);
    if (words === undefined || flags.format !== "table") return format;
    const paint = flags.out === undefined ? createPaint(io().stdout) : PLAIN;
    return createSnippetTable(format, { query: words.query, paint, width: toWidth(flags) });
  });
  await file?.finish();
  const printed = tally.legs();
  if (flags.format === "table" && printed > 0)
    console.info(toCallsAndLegs({ records: printed, calls: tally.calls() }));
  const isEnded = flags.limit === undefined || printed < flags.limit;
  if (printed === 0 && found.missing === undefined)
    console.info(toPrintable(`No call was found. ${await source.explain(found.report.rows)}`));
  if (isEnded) await tellHints(task, { count: printed, records: first });
  if (found.report.chats !== undefined) tellChats(found.report.chats);
  if (warning !== undefined) console.warn(`Warning: ${warning}`);
  if (isEnded && found.report.verdict === "drifted") console.warn(toWarning(found));
  const { missing = [] } = found;
  if (missing.length > 0)
    throw new CommandFailure(`there is no call ${missing.join(", ")}, or it may not be seen`);
}

/** The condition that is tested here, on the records that the service returns. */
function createWanting(
  flags: SearchFlags,
  {
    source,
    words,
    progress,
    unreadable,
  }: Omit<Task, "wanting"> & {
    readonly unreadable: Unreadable;
  },
): CallFilter {
  const { archiveZone, isOfDays = () => true } = source;
  const clock = createClock({ timeZone: flags.tz, archiveZone, onUnreadable: unreadable.add });
  const judge = toJudge(source.condition, clock);
  const isMet = words?.isMet ?? (() => true);
  const isWanted = (record: CallRecord) => isMet(record) && isOfDays(record);
  return createCallFilter((record, chat) => isWanted(record) && judge(record, chat), {
    readText: source.readChatText,
    mostChats: flags.in === undefined ? MAX_CHATS : Infinity,
    onChat: ({ read }) => progress.show(`${toCounted(read, "chat")} read`),
  });
}

async function countFound(flags: FormatFlags, task: Task): Promise<void> {
  const { format, groupBy } = flags;
  const { source, progress, wanting } = task;
  const { groups, ...counted } = await source.count({
    filter: wanting.filter,
    onRead: (rows) => progress.show(`${toCounted(rows, "record")} read`),
  });
  progress.show("");
  if (groups === undefined || groupBy === undefined) printText(`${counted.records}`);
  else RECORD_FORMATS[format].printGroups?.(groupBy, groups);
  const isCounted = counted.read === 0 && counted.records > 0;
  const how = isCounted
    ? "counted by the service"
    : `${toCounted(counted.read, "record")} read for it`;
  console.info(`${toCallsAndLegs(counted)}; ${how}`);
  await tellHints(task, { count: counted.records, records: [] });
  if (counted.chats !== undefined) tellChats(counted.chats);
  if (counted.isDrifted)
    console.warn(
      "Warning: the archive changed meanwhile, and the numbers may be wrong: count again.",
    );
}

async function tellHints({ source }: Task, found: FoundFew): Promise<void> {
  for (const hint of (await source.listHints?.(found)) ?? []) console.info(toPrintable(hint));
}

/** A search for words in more calls than this should be narrowed. */
const MAX_CHATS = 10_000;

/** `folder`: the searched export. */
function tellChats({ read, skipped, refused }: ChatCount, folder?: string): void {
  if (skipped > 0)
    console.warn(
      `Warning: ${toCounted(skipped, "chat was", "chats were")} not read, as a search reads ${read.toLocaleString("en")} at most: calls that say it only there are missing. Search fewer days, or give another option to search by.`,
    );
  if (refused > 0 && folder !== undefined)
    console.warn(
      toPrintable(
        `Warning: ${toCounted(refused, "chat is", "chats are")} not in ${folder}: what was written only there is not judged. An export with --files transcripts has them.`,
      ),
    );
  else if (refused > 0)
    console.warn(
      `Warning: ${toCounted(refused, "chat", "chats")} may not be read: calls that say it only there are missing.`,
    );
}

interface Wish {
  readonly filter: CallFilter["filter"];
  readonly limit: number;
  readonly progress: ProgressLine;
  readonly write: Write;
}

interface Printed {
  readonly tally: CallTally;
  /** The records of the first page. */
  readonly first: readonly CallRecord[];
  /** A sentence about truncated values. */
  readonly warning: string | undefined;
}

/** The first page determines the format of the others. */
async function print(
  found: Found,
  { filter, limit, progress, write }: Wish,
  toFormat: () => RecordFormat,
): Promise<Printed> {
  const tally = createCallTally();
  let first: readonly CallRecord[] | undefined;
  let format: RecordFormat | undefined;
  for await (const page of found.pages()) {
    if (format === undefined) await write((format = toFormat()).begin());
    const matching = (await filter(page.records)).slice(0, limit - tally.legs());
    matching.forEach(tally.add);
    first ??= matching;
    progress.show(""); // both may be one terminal
    if (matching.length > 0) await write(format.add(matching));
    progress.show(toProgress(found, tally.legs()));
    if (tally.legs() >= limit) break;
  }
  progress.show("");
  if (format === undefined) await write((format = toFormat()).begin());
  await write(format.end());
  return { tally, first: first ?? [], warning: format.toWarning?.() };
}

function toProgress({ report: { rows, windows } }: Found, count: number): string {
  const announced = windows.at(-1)?.announced;
  const of = announced === undefined ? "" : `${rows.toLocaleString("en")} of `;
  return `${of}${toCounted(announced ?? rows, "record")} read, ${count.toLocaleString("en")} found`;
}

function toWarning({ report: { rows, duplicates, windows } }: Found): string {
  const announced = windows.reduce((total, window) => total + (window.announced ?? 0), 0);
  return `Warning: the archive changed meanwhile, and records may be missing: ${toCounted(rows, "record")} came, ${duplicates} of them twice, and ${announced} were announced. Search again.`;
}

function createFormat(
  flags: FormatFlags,
  { archiveZone }: Pick<Source, "archiveZone">,
): RecordFormat {
  const { format, columns, tz: timeZone } = flags;
  return RECORD_FORMATS[format].create({
    columns,
    showDatetime: createShowDatetime(timeZone, archiveZone),
    width: toWidth(flags),
    timeZone,
    archiveTimeZone: archiveZone(),
  });
}

const toGroup = (name: string): Field | "day" => (name === "day" ? name : toField(name));
