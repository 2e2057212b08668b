// `call-media-server audit`: who read what, and whether the access log was changed.
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { CallStore, ChainHead, ChainReport, LogRow } from "@call-media/store";
import { openMaintenance, openStore } from "@call-media/store/open";
import { parseDatetime, toTimeName } from "@call-media/store/values";
import { type Command, Option } from "commander";
import { console, io, toCounted, UsageError } from "@call-media/terminal";
import { NOT_PROVED } from "../command-line/not-proved.ts";
import { toOperator } from "../command-line/operator.ts";
import { addPlaces, type PlaceFlags, toPlaces, unable } from "../command-line/places.ts";
import { toPrintable } from "@call-media/service/printable";
import { AUDIT_FORMATS } from "./audit-formats.ts";
import { readRemarks } from "./audit-runs.ts";
import { findUser } from "./users.ts";

const HELP = `
The access log has a row for every request for data by a known user: time, user, application or key, what was asked
for, the answer, the calls that it showed, and which bytes of which recording were sent. A recording that was cut off
has a second row with what was sent. "handed out" means that the caller was given a URL of the bucket (serve --media-redirect):
what of it was read is not known here. Sign-ins have a row each, good and bad.

Commands of operators that change an archive, or copy it, have a row when they begin, with what was asked and who ran them
on this machine, and one when they end: "done", "refused" when nothing was done, or "failed", with the reason and counts. A
purge has one more, with what it has found; app, key and token have one row. A command without its last row was killed,
or still runs: "no outcome recorded (broke off?)".
  $ call-media-server audit --data ./archive --since 7d --user mia
  $ call-media-server audit --data ./archive --call-id 300000000000001 --format csv > calls.csv
For all options: call-media-server audit list --help

Each row holds the hash of the one before it. "verify" follows the hashes from the first row to the last, and compares
the log with the newest row that was noted in the records and beside the recordings, so that lost rows show. Keep the hash that it prints
where nobody can change it; later it proves that the rows up to it are the same:
  $ call-media-server audit verify --data ./archive
  $ call-media-server audit verify --data ./archive --hash 5f2c...

All times are UTC.`;

const BEGIN_HELP = `
An archive whose access.db is missing is not served, since that file held the access log and every application, key
and token. If there is a backup, restore it into an empty folder and copy access.db from there. Otherwise this command
begins a new log, and its first row says so. It does nothing while the archive has its access.db.

  $ call-media-server audit begin-anew --data ./archive`;

const ACCEPT_HELP = `
An archive that lacks rows which were in its access log is not served: an older copy was put back, a database was
copied without its log of writes, a standby took over that was behind, or somebody removed rows. What was revoked since
is valid again in it. Look for the newest state first. Otherwise this command makes the archive go on with the rows that
are there; a row of the log says who decided so, and which rows are lost. Start servers that run again afterwards. It
does nothing while no row is missing.

  $ call-media-server audit accept-loss --data ./archive
  $ call-media-server key list --data ./archive              what is valid, to revoke it again`;

const FORGET_HELP = `
The access log keeps what each request asked for: filters, words, references. A name that was searched for is among them. forget takes
that out of the rows of before a day. All else of a row stays: time, user, credential, address, the calls that it showed, the recording.
"audit list" shows such a row with "forgotten". "audit verify" finds the same hashes as before: they cover a salted hash of what was asked.
The log has a row of it.

  $ call-media-server audit forget --data ./archive --before 2025-01-01
  $ call-media-server audit forget --data ./archive --before 2025-01-01 --yes

Left whole are rows of versions before this one, whose hashes cover all of them, and rows of commands, which say what was done and why;
all but "history" and "trace", which only look a call up. Backups keep their logs until they are deleted.

In PostgreSQL it needs the owner of the tables, and removes the rows as they were by VACUUM. The database's own log (WAL) and backups keep
them as long as you keep those.

Exit code: 0 done, 1 nothing was done, 2 done, but a reader holds an old state of the log: run it again.`;

interface AuditFlags extends PlaceFlags {
  readonly since?: string;
  readonly user?: string;
  readonly callId?: string;
  readonly format: keyof typeof AUDIT_FORMATS;
}

export function configureAudit(audit: Command): void {
  audit.addHelpText("after", HELP);
  addListCommand(audit);
  addVerifyCommand(audit);
  addBeginCommand(audit);
  addAcceptCommand(audit);
  addForgetCommand(audit);
}

function addListCommand(audit: Command): void {
  addPlaces(audit.command("list", { isDefault: true }).description("print the rows, oldest first"))
    .option(
      "--since <when>",
      "a date, a date and time in UTC, or a span back from now: 30m, 12h, 7d",
    )
    .option("--user <name>", "what this user read")
    .option(
      "--call-id <id>",
      "who saw this call: by its identifier, by a reference, or in the answer to a search; and the commands that wrote it",
    )
    .addOption(
      new Option("--format <format>", "how rows are printed")
        .choices(Object.keys(AUDIT_FORMATS))
        .default("table"),
    )
    .action(async (flags: AuditFlags) => {
      await using store = await openStore(toPlaces(flags), { toInspect: true });
      // A damaged user still has a number.
      const known = await store.users.list(undefined, () => {});
      const users = new Map(known.map(({ id, username }) => [id, username]));
      const sinceMs = flags.since === undefined ? undefined : toInstant(flags.since);
      const words = {
        nameOf: (row: LogRow) => toName(row, users),
        remarkOf: await readRemarks(store.accessLog, sinceMs),
      };
      await print(AUDIT_FORMATS[flags.format](await find(store, flags, sinceMs), words));
    });
}

function addVerifyCommand(audit: Command): void {
  addPlaces(
    audit
      .command("verify")
      .description("follow the chain of hashes; exit code 1 when the log was changed"),
  )
    .option("--hash <hash>", "a last hash that was noted earlier")
    .action(async ({ hash, ...places }: PlaceFlags & { hash?: string }) => {
      await using store = await openStore(toPlaces(places), { toInspect: true });
      await verify(store, hash);
    });
}

function addBeginCommand(audit: Command): void {
  addPlaces(
    audit
      .command("begin-anew")
      .description("begin a new access log for an archive that has lost its own"),
  )
    .addHelpText("after", BEGIN_HELP)
    .action(async (places: PlaceFlags) => {
      const { lostLog = unable("lose its access log") } = await openMaintenance(toPlaces(places));
      await lostLog.beginAnew(toOperator());
      console.log("A new access log has begun. Hand out new credentials: app create, key create.");
    });
}

function addAcceptCommand(audit: Command): void {
  addPlaces(
    audit
      .command("accept-loss")
      .description("go on with an access log that has lost rows; the log says so"),
  )
    .addHelpText("after", ACCEPT_HELP)
    .action(async (places: PlaceFlags) => {
      const { lostLog = unable("lose its access log") } = await openMaintenance(toPlaces(places));
      const lost = await lostLog.acceptLoss(toOperator());
      console.log(
        `Accepted, and written to the log: ${lost}.\nWhat was revoked since is valid again: see "key list" and "app list", and revoke it again.`,
      );
    });
}

interface ForgetFlags extends PlaceFlags {
  readonly before: string;
  readonly yes?: true;
}

function addForgetCommand(audit: Command): void {
  addPlaces(audit.command("forget").description("take out what was searched for before a day"))
    .requiredOption("--before <day>", "rows of before this day, in the archive's time zone")
    .option("--yes", "do it; without it the number of rows is printed, and nothing is changed")
    .addHelpText("after", FORGET_HELP)
    .action(async ({ before, yes, ...places }: ForgetFlags) => {
      const archive = await openMaintenance(toPlaces(places));
      const isDryRun = yes !== true;
      const by = { operator: toOperator(), isDryRun };
      const { forgotten, whole, isComplete } =
        (await archive.forgetAsked?.(before, by)) ?? unable("have its log forget");
      const rows = toCounted(forgotten, "row");
      console.log(
        isDryRun ? `Would be taken out of ${rows}; --yes does it.` : `Taken out of ${rows}.`,
      );
      if (whole > 0)
        console.log(`${toCounted(whole, "row")} of that time: left whole, see --help.`);
      if (isComplete) return;
      console.error(
        "call-media-server: the database's log still holds what was taken out, as somebody reads an old state: run this again",
      );
      io().exitCode = LOG_LEFT;
    });
}

const LOG_LEFT = 2;

async function find(
  store: CallStore,
  { user, callId }: AuditFlags,
  sinceMs: number | undefined,
): Promise<AsyncIterable<LogRow>> {
  const userId = user === undefined ? undefined : (await findUser(store, user)).id;
  const runs = callId === undefined ? [] : await listRuns(store, callId);
  return store.accessLog.read({ sinceMs, userId, callId, runs });
}

/** The runs of the commands that added the call, or replaced a state of it. */
async function listRuns({ maintenance }: CallStore, callId: string): Promise<readonly string[]> {
  const states = await maintenance.history({ callId });
  return states.flatMap(({ brought, replaced }) =>
    [brought?.run ?? [], replaced?.run ?? []].flat(),
  );
}

async function print(text: AsyncIterable<string>): Promise<void> {
  try {
    await pipeline(Readable.from(text), io().stdout, { end: false });
  } catch (error) {
    // The reader has closed the pipe, as "| head" does.
    if (!(error instanceof Error && "code" in error && error.code === "EPIPE")) throw error;
  }
}

function toName(row: LogRow, users: ReadonlyMap<number, string>): string {
  if (row.operator !== undefined) return row.operator;
  if (row.userId === undefined) return "";
  return users.get(row.userId) ?? `#${row.userId}`;
}

async function verify(store: CallStore, knownHash: string | undefined): Promise<void> {
  if (knownHash !== undefined && !/^[0-9a-f]{64}$/.test(knownHash))
    throw new UsageError("--hash must be 64 hexadecimal digits, as verify has printed them");
  const { rows, lastHash, fault, decisions, noted } = await store.accessLog.verify(knownHash);
  if (fault === undefined) {
    const since = decisions.length > 0 ? " but what operators accepted" : "";
    console.log(`${toCounted(rows, "row")}, none of them changed, none missing${since}.`);
    console.log(noted === undefined ? NOTHING_NOTED : toNoted(noted));
    console.log(NOT_PROVED);
  } else {
    console.log(
      `The access log was changed: ${fault}.\nRows that follow from one another, from the first: ${rows.toLocaleString("en")}.`,
    );
    io().exitCode = 1;
  }
  for (const decision of decisions) console.log(toPrintable(toDecision(decision)));
  if (lastHash !== undefined) console.log(`Hash of the last of them: ${lastHash}`);
}

const NOTHING_NOTED =
  "Beside the recordings no row is noted that could be compared: a running service notes one every 10 seconds.";

const toNoted = ({ seq, timeMs }: ChainHead) =>
  `It has the row that was noted last beside the recordings: row ${seq} of ${toTimeName(timeMs)}.`;

function toDecision({ seq, timeMs, operation, operator, asked }: ChainReport["decisions"][number]) {
  const what =
    operation === "audit begin-anew"
      ? "began this log, as the one before was lost"
      : `accepted that ${String(asked["lost"])}`;
  return `Row ${seq}, ${toTimeName(timeMs)}: ${operator} ${what}.`;
}

const SPANS_MS: Readonly<Record<string, number>> = {
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
};

function toInstant(text: string): number {
  const [, count, unit] = /^(\d{1,6})([mhd])$/.exec(text) ?? [];
  const spanMs = SPANS_MS[unit ?? ""];
  if (spanMs !== undefined) return Date.now() - Number(count) * spanMs;
  const parsed = parseDatetime(text, "UTC");
  if (typeof parsed === "string") throw new UsageError(`--since: ${parsed}, nor a span such as 7d`);
  return parsed.instantMs;
}
