// `call-media-server trace`: where a call, a recording or a text still is, as far as the archive knows.
import type { CallStore, Found, LogRow, Trace, TracedBackup, TraceOf } from "@call-media/store";
import { openMaintenance, openStore } from "@call-media/store/open";
import { toTimeName } from "@call-media/store/values";
import { toPrintable } from "@call-media/service/printable";
import { console, io, toCounted, toSize, UsageError } from "@call-media/terminal";
import type { Command } from "commander";
import { addPlaces, type PlaceFlags, toPlaces, unable } from "../command-line/places.ts";
import { recorded } from "../command-line/recorded.ts";

const MIN_TEXT_BYTES = 4;

const HELP = `
trace reads the archive, every backup that it remembers, the ledger of purges and the access log. After a purge it shows what is left
of the call and where: a backup keeps its records until it is deleted. It also reads what interrupted backups have left.

  $ call-media-server trace --data ./archive --call-id 300000000000001
  $ call-media-server trace --data ./archive --sha256 9f86d081884c7d65...      a recording, by its SHA-256
  $ call-media-server trace --data ./archive --text 'sort code 40-41-42'       every file but recordings

--text finds a text as it was imported, and one word of it in the search index. It reads the values of each database, and the bytes of
each file, so also what a database has freed: there it misses a text that lies on two pages. It does not find a text that is only spoken.
The text needs ${MIN_TEXT_BYTES} bytes or more in UTF-8: a shorter one is in any file by chance. One of ${MIN_TEXT_BYTES} may still be, in a large archive.

A recording that "import --link" left in its place is looked at while a record names it. After a purge it is not: the purge printed its
path, and deleting it is yours.

Of an archive in PostgreSQL trace reads the tables, the recordings and the access log; --text needs records in a folder.

Exports are named and not read: their files are yours. The access log keeps the call_ids that were read. Copies by other means are not
known: snapshots, replicas, dumps, and backups that were moved.

Exit code: 0 it is in none of these places, and a purge or the access log knows of it (--text: it is in none), 2 it is somewhere, or a backup or a
file cannot be read, 3 nothing knows of it.`;

interface TraceFlags extends PlaceFlags {
  readonly callId?: string;
  readonly sha256?: string;
  readonly text?: string;
  readonly json?: true;
}

const FOUND = 2;
const UNKNOWN = 3;

export function configureTrace(command: Command): void {
  addPlaces(command, "the folder of the archive, or of a backup")
    .option("--call-id <id>", "a call, with its earlier states, messages and recordings")
    .option("--sha256 <digest>", "a recording, by its SHA-256")
    .option("--text <text>", "a text in all files but recordings")
    .option("--json", "print what is found as JSON")
    .addHelpText("after", HELP)
    .action(printTrace);
}

async function printTrace(flags: TraceFlags): Promise<void> {
  const of = toTraceOf(flags);
  const archive = await openMaintenance(toPlaces(flags));
  // A text that is looked for after its erasure must not get into the log again.
  const asked = "text" in of ? { text: true } : { ...of };
  const callIds = "callId" in of ? [of.callId] : [];
  const found = await recorded(
    { log: archive, operation: "trace", asked, callIds },
    async () => (await archive.trace?.(of)) ?? unable("be traced"),
  );
  await using store = await openStore(toPlaces(flags), { toInspect: true });
  const log = await readLog(store, of, found);
  if (flags.json) console.log(JSON.stringify({ ...found, ...log }));
  else for (const line of toLines(found, log, of)) console.log(toPrintable(line));
  const isSomewhere =
    found.files.length + found.parts.length + found.unread.length > 0 ||
    has(found.here) ||
    found.backups.some(isOpen);
  const isKnown =
    "text" in of || found.entries.length + log.reads > 0 || found.erased !== undefined;
  if (isSomewhere) io().exitCode = FOUND;
  else if (!isKnown) io().exitCode = UNKNOWN;
}

function toTraceOf({ callId, sha256, text }: TraceFlags): TraceOf {
  const given = [callId, sha256, text].filter((value) => value !== undefined);
  if (given.length !== 1) throw new UsageError("give one of --call-id, --sha256 and --text");
  if (given[0] === "") throw new UsageError("--call-id, --sha256 and --text must not be empty");
  if (callId !== undefined) return { callId };
  if (sha256 === undefined) return { text: checkText(text ?? "") };
  if (!/^[0-9a-f]{64}$/i.test(sha256))
    throw new UsageError("--sha256 must be 64 hexadecimal digits, as verify prints them");
  return { sha256: sha256.toLowerCase() };
}

function checkText(text: string): string {
  if (Buffer.byteLength(text) >= MIN_TEXT_BYTES) return text;
  throw new UsageError(
    `--text must have ${MIN_TEXT_BYTES} bytes or more in UTF-8: ${JSON.stringify(text)} is in any file by chance`,
  );
}

const has = (found: Found): boolean => Object.values(found).some((count) => count > 0);

const isOpen = ({ states }: TracedBackup): boolean => states === undefined || states.length > 0;

interface Logged {
  /** Requests that returned it, and the number of users who made them. */
  readonly reads: number;
  readonly readers: number;
  readonly exports: readonly Exported[];
}

interface Exported {
  /** ISO 8601. */
  readonly at: string;
  readonly by: string;
  readonly asked: Readonly<Record<string, unknown>>;
}

async function readLog({ accessLog }: CallStore, of: TraceOf, found: Trace): Promise<Logged> {
  const readers = new Set<number>();
  let reads = 0;
  const callId = "callId" in of ? of.callId : undefined;
  if (callId !== undefined)
    for await (const { userId } of accessLog.read({ callId }))
      if (userId !== undefined) {
        readers.add(userId);
        reads += 1;
      }
  const exports: Exported[] = [];
  for await (const row of accessLog.read({ hasOutcome: true }))
    if (row.operation === "export" && row.outcome === "begun" && mayHave(row, found))
      exports.push({ at: toTimeName(row.timeMs), by: row.operator ?? "", asked: row.asked });
  return { reads, readers: readers.size, exports };
}

const DAY_MS = 86_400_000;

/** Days are in the archive's time zone; one more day on either side covers every zone. */
function mayHave({ timeMs, asked }: LogRow, { span, erased }: Trace): boolean {
  if (erased !== undefined && timeMs > erased.timeMs && span === undefined) return false;
  if (span === undefined) return true;
  const toMs = (day: unknown, otherwise: number) =>
    typeof day === "string" ? Date.parse(day) : otherwise;
  return (
    toMs(asked["from"], -Infinity) - DAY_MS <= span.toMs &&
    toMs(asked["to"], Infinity) + 2 * DAY_MS >= span.fromMs
  );
}

const KINDS: Readonly<Record<Trace["entries"][number]["kind"], string>> = {
  erased: "erased",
  lifted: "let in again",
  owed: "held, and owed an erasure",
  settled: "owed no more",
};

function toLines(found: Trace, log: Logged, of: TraceOf): readonly string[] {
  if ("text" in of)
    return found.files.length === 0
      ? [
          `nowhere   not in any file ${found.unread.length > 0 ? "that can be read " : ""}of the archive, nor in ${toBackupCount(found)}`,
          ...toMissed(found),
        ]
      : [...found.files.map((file) => `found     ${file}`), ...toMissed(found)];
  const { here, erased, entries } = found;
  return [
    `here      ${has(here) ? toFoundText(here) : "nothing"}`,
    ...(erased === undefined
      ? []
      : [
          `erased    ${toTimeName(erased.timeMs)} by ${erased.operator}: ${JSON.stringify(erased.asked)}`,
        ]),
    ...entries.map(
      ({ erasure, kind, at, by }) => `ledger    entry ${erasure} of ${at} by ${by}: ${KINDS[kind]}`,
    ),
    ...(erased === undefined && entries.length === 0 ? [] : [LINKED]),
    ...found.backups.flatMap(toBackupLines),
    ...found.parts.map(
      ({ place, found: part }) =>
        `partial   ${place}: ${toFoundText(part)}, of an interrupted backup or restore`,
    ),
    ...found.unread.map(toUnreadLine),
    ...log.exports.map(
      ({ at, by, asked }) => `exports   ${at} by ${by} to ${toTarget(asked)}: may have it`,
    ),
    ...(log.reads === 0
      ? []
      : [
          `read      ${toCounted(log.reads, "time")} by ${toCounted(log.readers, "user")}: "audit --call-id" names them`,
        ]),
  ];
}

const LINKED =
  'linked    not looked at: files that "import --link" left in place, whose paths the purge printed';

const toBackupCount = ({ backups }: Trace) =>
  toCounted(backups.filter(({ states }) => states !== undefined).length, "backup");

const toMissed = ({ backups, unread }: Trace) => [
  ...backups.filter(({ states }) => states === undefined).flatMap(toBackupLines),
  ...unread.map(toUnreadLine),
];

const toUnreadLine = (path: string) => `unread    ${path}: cannot be read, and may have it`;

function toBackupLines({ place, states, count }: TracedBackup): readonly string[] {
  if (states === undefined) return [`backups   ${place}: cannot be read, and may have it`];
  if (states.length === 0) return [`backups   ${place}: nothing`];
  const last = states.at(-1);
  const until =
    last?.goesAt === undefined ? "" : `, the last goes with a backup after ${last.goesAt}`;
  return [
    `backups   ${place}: ${states.length} of ${toCounted(count, "backup")}${until}`,
    ...states.map(({ createdAt, found }) => `          ${createdAt}  ${toFoundText(found)}`),
  ];
}

function toFoundText({ records, states, messages, files, bytes }: Found): string {
  return [
    toCounted(records, "record"),
    toCounted(states, "earlier state"),
    toCounted(messages, "message"),
    `${toCounted(files, "recording")} (${toSize(bytes)})`,
  ].join(", ");
}

function toTarget({ out, from, to }: Exported["asked"]): string {
  const days = [from ?? "the beginning", to ?? "the end"].map(String).join(" to ");
  return `${typeof out === "string" ? out : "its output"}, ${days}`;
}
