// `call-media watch`: prints new calls of the archive.
import { createCallFilter, createClock, toJudge } from "@call-media/conditions";
import { readChatTextIfAllowed } from "@call-media/handover";
import type { Command } from "commander";
import { addServiceOptions, connect } from "../access/connect.ts";
import type { TargetFlags } from "../access/target.ts";
import { ACCESS_HELP } from "../command-line/access-help.ts";
import {
  console,
  createProgressLine,
  type ProgressLine,
  toCounted,
  toNumber,
  toProgressOutput,
  UsageError,
} from "@call-media/terminal";
import { checkWritable } from "../files/output-file.ts";
import { createInterrupt } from "../interrupt.ts";
import { addRangeOptions } from "../search/day-options.ts";
import { toDay } from "../search/day-options.ts";
import { addFieldOptions, FILTER_HELP, readFields } from "../search/filters.ts";
import { openSearch } from "../search/wanted.ts";
import { createUnreadable } from "../search/unreadable.ts";
import { parseWhere } from "../search/where.ts";
import { createCursorFile } from "../watch/cursor-file.ts";
import { createPrinter } from "../watch/printer.ts";
import { watch } from "../watch/watch.ts";
import { createWatcher, toLastDay, type Watcher } from "../watch/watcher.ts";

const HELP = `${FILTER_HELP}

  $ call-media watch --interval 60 --agent leila.benali
  $ call-media watch --last 2d --where 'talk_time > 600' > long-calls.jsonl
  $ call-media watch --cursor sales.cursor --campaign Sales

watch prints a line of JSON for each new call, the oldest first. Because calls are often entered late, it looks at the
last three days each time. Changes of calls that it has seen are not reported. Without --since or a cursor, calls that
are there at the start are not printed.

--cursor FILE remembers, as digests, which calls were printed. Started again with the same file, watch prints what has
arrived since, each call once; after a crash the last few may be printed again.

When the service fails, watch reports it and keeps trying. It runs until a signal stops it: exit code 130 for Ctrl-C,
143 for SIGTERM.
${ACCESS_HELP}`;

const NEWEST_FIRST = "newest-first";

const DEFAULT_INTERVAL_S = 30;
const MIN_INTERVAL_S = 1;
const MAX_INTERVAL_S = 86_400;
const toInterval = toNumber(MIN_INTERVAL_S, MAX_INTERVAL_S, "number of seconds");

interface WatchFlags extends TargetFlags {
  readonly interval: number;
  readonly since?: string;
  readonly where?: string;
  readonly cursor?: string;
}

export function configureWatch(command: Command): void {
  addRangeOptions(addFieldOptions(addServiceOptions(command)), ["last", "month"], { from: "since" })
    .option("--interval <seconds>", "time between two requests", toInterval, DEFAULT_INTERVAL_S)
    .option("--since <day>", "also print existing calls from this day on", toDay)
    .option(
      "--where <condition>",
      "only calls that match; see call-media search --help",
      toCondition,
    )
    .option("--cursor <file>", "remember in this file what was printed, and continue from it")
    .addHelpText("after", HELP)
    .action(runWatch);
}

type Flags = WatchFlags & Readonly<Record<string, unknown>>;

async function runWatch(flags: Flags): Promise<void> {
  checkSince(flags.since);
  checkWritable("--cursor", flags.cursor);
  const signal = createInterrupt();
  using progress = createProgressLine(toProgressOutput());
  const { watcher, printer, unreadable } = await openWatch(flags, signal, progress);
  const tell = (line: string) => {
    progress.show("");
    console.info(`${new Date().toISOString()} ${line}`);
  };
  const look = async () => {
    await watcher.look();
    progress.show("");
    unreadable.tell();
  };
  await untilStopped(signal, async () => {
    // A failure of the first request ends the command, because the user may have to correct it.
    await look();
    tell(toBeginning(watcher, flags.interval));
    await watch(look, { intervalMs: flags.interval * 1000, signal, tell });
  });
  tell(`${printer.toAccount()}; ${toNext(flags.cursor)}`);
  signal.throwIfAborted();
}

function checkSince(since: string | undefined): void {
  if (since === undefined || since <= toLastDay()) return;
  throw new UsageError(`--since ${since} is in the future: name a day that has begun`);
}

async function openWatch(flags: Flags, signal: AbortSignal, progress: ProgressLine) {
  const { client, baseUrl, service, archiveZone } = await connect(flags);
  const { cursor: path, where } = flags;
  const fields = readFields(flags, where === undefined ? undefined : parseWhere(where).condition);
  const file = path === undefined ? undefined : createCursorFile(path, { baseUrl, fields, where });
  const unreadable = createUnreadable();
  const clock = createClock({ archiveZone, onUnreadable: unreadable.add });
  const judge = toJudge(fields.condition, clock);
  const readText = (call_id: string) => readChatTextIfAllowed(client, call_id, signal);
  const printer = createPrinter(createCallFilter(judge, { readText }).filter);
  const watcher = createWatcher({
    isNewestFirst: (service.order ?? NEWEST_FIRST) === NEWEST_FIRST,
    cursor: (await file?.read()) ?? toStart(flags.since),
    open: (days) => openSearch(client, { ...days, ...fields }, signal),
    print: async (records) => {
      progress.show(""); // both may be one terminal
      await printer.print(records);
    },
    keep: async (cursor) => await file?.write(cursor),
    onPage: ({ rows }) => progress.show(`${toCounted(rows, "call")} read`),
  });
  return { watcher, printer, unreadable };
}

async function untilStopped(signal: AbortSignal, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}

/** Returns the text unchanged, because cursors compare it. */
function toCondition(text: string): string {
  parseWhere(text);
  return text;
}

const toStart = (from: string | undefined) => (from === undefined ? from : { from, calls: [] });

function toBeginning({ size, from }: Watcher, intervalS: number): string {
  return `${toCounted(size, "call")} since ${from} so far; looking every ${intervalS} s until Ctrl-C`;
}

function toNext(cursor: string | undefined): string {
  if (cursor === undefined) return "with --cursor FILE the next watch would continue from here";
  return `--cursor ${cursor} continues from here`;
}
