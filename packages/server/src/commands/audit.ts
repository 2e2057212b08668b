// `call-media-server audit`: who read what, and whether the log that says so was changed.
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { type CallStore, type LogRow, parseDatetime } from "@call-media/store";
import { beginAccessLogAnew } from "@call-media/store/keeping";
import { openStore } from "@call-media/store/sqlite";
import { type Command, Option } from "commander";
import { toCount } from "../command-line/count.ts";
import { toOperator } from "../command-line/operator.ts";
import { UsageError } from "../command-line/usage-error.ts";
import { console, io } from "../io.ts";
import { type AuditFormat, AUDIT_FORMATS } from "./audit-formats.ts";
import { findUser } from "./users.ts";

const HELP = `
The access log has a row for every request for data by a known user: time, user, application or key, what was asked
for, the answer, and which bytes of which recording were sent. A recording that was cut off has a second row with what
was sent. A purge has a row too: who ran it on this machine, which calls it removes, and how many.
  $ call-media-server audit --data ./archive --since 7d --user mia
  $ call-media-server audit --data ./archive --call-id 300000000000001 --format csv > calls.csv
For all options: call-media-server audit list --help

Each row holds the hash of the one before it. "verify" follows the hashes from the first row to the last. Keep the
hash that it prints where nobody can change it; later it proves that the rows up to it are the same:
  $ call-media-server audit verify --data ./archive
  $ call-media-server audit verify --data ./archive --hash 5f2c...

All times are UTC.`;

const BEGIN_HELP = `
An archive whose access.db is missing is not served, since that file held the access log and every application, key
and token. If there is a backup, restore it into an empty folder and copy access.db from there. Otherwise this command
begins a new log, and its first row says so. It does nothing while the archive has its access.db.

  $ call-media-server audit begin-anew --data ./archive`;

interface AuditFlags {
  readonly data: string;
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
}

function addListCommand(audit: Command): void {
  audit
    .command("list", { isDefault: true })
    .description("print the rows, oldest first")
    .requiredOption("--data <dir>", "the folder of the archive")
    .option(
      "--since <when>",
      "a date, a date and time in UTC, or a span back from now: 30m, 12h, 7d",
    )
    .option("--user <name>", "what this user read")
    .option(
      "--call-id <id>",
      "who read this call; of searches only the filter is known, not what they found",
    )
    .addOption(
      new Option("--format <format>", "how rows are printed")
        .choices(Object.keys(AUDIT_FORMATS))
        .default("table"),
    )
    .action(async (flags: AuditFlags) => {
      await using store = await openStore({ directory: flags.data });
      await print(await find(store, flags), {
        format: AUDIT_FORMATS[flags.format],
        users: new Map((await store.users.list()).map(({ id, username }) => [id, username])),
      });
    });
}

function addVerifyCommand(audit: Command): void {
  audit
    .command("verify")
    .description("follow the chain of hashes; exit code 1 when the log was changed")
    .requiredOption("--data <dir>", "the folder of the archive")
    .option("--hash <hash>", "a last hash that was noted earlier")
    .action(async ({ data, hash }: { data: string; hash?: string }) => {
      await using store = await openStore({ directory: data });
      await verify(store, hash);
    });
}

function addBeginCommand(audit: Command): void {
  audit
    .command("begin-anew")
    .description("begin a new access log for an archive that has lost its own")
    .requiredOption("--data <dir>", "the folder of the archive")
    .addHelpText("after", BEGIN_HELP)
    .action(({ data }: { data: string }) => {
      beginAccessLogAnew({ directory: data, operator: toOperator() });
      console.log("A new access log has begun. Hand out new credentials: app create, key create.");
    });
}

async function find(store: CallStore, flags: AuditFlags): Promise<AsyncIterable<LogRow>> {
  const { since, user, callId } = flags;
  const userId = user === undefined ? undefined : (await findUser(store, user)).id;
  const sinceMs = since === undefined ? undefined : toInstant(since);
  return store.accessLog.read({ sinceMs, userId, callId });
}

async function print(
  rows: AsyncIterable<LogRow>,
  { format, users }: { format: AuditFormat; users: ReadonlyMap<number, string> },
): Promise<void> {
  try {
    const text = format(rows, (row) => toName(row, users));
    await pipeline(Readable.from(text), io().stdout, { end: false });
  } catch (error) {
    // Whoever reads has seen enough: "| head".
    if (!(error instanceof Error && "code" in error && error.code === "EPIPE")) throw error;
  }
}

function toName(row: LogRow, users: ReadonlyMap<number, string>): string {
  if (row.operator !== undefined) return row.operator;
  return users.get(row.userId) ?? `#${row.userId}`;
}

async function verify(store: CallStore, knownHash: string | undefined): Promise<void> {
  if (knownHash !== undefined && !/^[0-9a-f]{64}$/.test(knownHash))
    throw new UsageError("--hash must be 64 hexadecimal digits, as verify has printed them");
  const { rows, lastHash, fault } = await store.accessLog.verify(knownHash);
  if (fault === undefined) {
    console.log(`${toCount(rows, "row")}, none of them changed, none missing.`);
  } else {
    console.log(
      `The access log was changed: ${fault}.\nRows that follow from one another, from the first: ${rows.toLocaleString("en")}.`,
    );
    io().exitCode = 1;
  }
  if (lastHash !== undefined) console.log(`Hash of the last of them: ${lastHash}`);
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
