// Moves a complete archive to other places: records, users, hashes of credentials, tombstones, the access log and
// recordings. An interrupted move continues where it stopped. At the end both archives are read and compared.
import type {
  ArchiveItem,
  CallStore,
  ChainHead,
  Damage,
  InternalRow,
  InternalSetting,
  Maintenance,
  OnProgress,
  OperatorAct,
  ScannedRow,
  Writer,
} from "../port/index.ts";
import { ArchiveError } from "../port/faults.ts";
import { copyEntries } from "../values/ledger.ts";
import { findDifferences, findMissing } from "./compare.ts";
import { copyMedia } from "./copy-media.ts";

export interface MigrateOptions {
  /** The source archive. Its access log gets only the row of `act`. */
  readonly from: Maintenance;
  /** An empty archive, or one that an earlier migration of the same archive began to fill; in the time zone of `from`. */
  readonly to: CallStore;
  readonly act?: OperatorAct | undefined;
  /** True if `to` may be used although it lacks the damaged parts of `from`. */
  readonly skipsDamaged?: boolean | undefined;
  readonly onProgress?: OnProgress | undefined;
}

export interface MigrationReport {
  /** Rows of the access log that `to` has, and the hash of the last. */
  readonly logRows: number;
  readonly lastHash: string | undefined;
  readonly mediaFiles: number;
  readonly mediaBytes: number;
  /** Records of calls that were compared. */
  readonly calls: number;
  /** Recordings that are missing or damaged in `from`. `to` has their records nevertheless. */
  readonly damages: readonly Damage[];
  /** Records that differ from what was written, in the words of `ScannedRow`. `to` lacks them: it would store them as valid. */
  readonly damagedRecords: readonly string[];
  /** Rows that `to` rejected and other differences between the archives, in sentences; empty if they are equal. */
  readonly differences: readonly string[];
}

/** Throws `ArchiveError` if `to` holds another archive, or an access log that the log of `from` does not continue. */
export async function migrateArchive(options: MigrateOptions): Promise<MigrationReport> {
  const { from, to, skipsDamaged = false, onProgress = () => {} } = options;
  const after = await settle(from, to);
  const { rejected, damaged } = await moveRecords(options, after);
  const lastHash = await moveInternals(from, to).catch((error: unknown) => {
    // The damage may be a user, whose credentials then cannot be stored.
    throw damaged.length === 0 ? error : new ArchiveError(toStopped(damaged), { cause: error });
  });
  const copied = await copyMedia({ from, to: to.maintenance, onProgress });
  const compared = await findDifferences(from, to.maintenance, onProgress);
  const missing = [
    ...findOtherSettings(await readSettings(from), await readSettings(to.maintenance)),
    ...(await findMissing(from, to.maintenance)),
  ];
  const log = await to.accessLog.verify(lastHash);
  const differences = [...rejected, ...compared.differences, ...missing];
  if (log.fault !== undefined) differences.push(`the access log: ${log.fault}`);
  // The next migration starts again and repairs the differences. Until then this archive is refused.
  await note(to, "");
  const { rows: logRows } = log;
  const { calls, damaged: damagedRecords } = compared;
  const isEqual = differences.length === 0 && (skipsDamaged || damagedRecords.length === 0);
  if (isEqual) await mark(to, "");
  const moved = { ...copied, calls, logRows, lastHash: log.lastHash };
  return { ...moved, damagedRecords, differences };
}

const toStopped = (damaged: readonly string[]) =>
  `the migration stopped at the credentials, without records that are damaged: ${damaged.join(", ")}. Restore the last backup into another folder, and migrate that`;

/** Makes `to` the same archive as `from`. Returns the id of the last call that an earlier migration copied; "" at the beginning. */
async function settle(from: Maintenance, to: CallStore): Promise<string> {
  const [own, given] = [await readSettings(to.maintenance), await readSettings(from)];
  if (to.timeZone !== given.get("time_zone"))
    throw new ArchiveError(
      `the archive that is migrated to has the time zone ${to.timeZone}, and not ${given.get("time_zone")}`,
    );
  if (own.get("archive_id") !== given.get("archive_id")) {
    if (!(await isEmpty(to)))
      throw new ArchiveError(
        "the archive that is migrated to is another one, and not empty: give places that hold nothing",
      );
    const names = ["archive_id", "tombstone_key", "owed_marks"] as const;
    await to.maintenance.internals.write([
      { kind: "setting", name: "migrating", value: new Date().toISOString() },
      ...names.flatMap((name) => {
        const value = given.get(name);
        return value === undefined ? [] : [{ kind: "setting" as const, name, value }];
      }),
    ]);
  }
  if (own.get("archive_id") !== given.get("archive_id")) return "";
  // Checked before the mark, which closes the archive, and before the records, which would bring back erased calls.
  await checkContinues(from, to);
  await mark(to, new Date().toISOString());
  return own.get("migrated_after") ?? "";
}

// The key belongs to the memory of purges, the time zone to the days.
const findOtherSettings = (given: Settings, own: Settings): readonly string[] =>
  (["tombstone_key", "time_zone"] as const)
    .filter((name) => given.get(name) !== own.get(name))
    .map((name) => `the setting ${name} is not there as it is here`);

type Settings = ReadonlyMap<InternalSetting, string>;

/** Settings come first, so reading stops after them. */
export async function readSettings(archive: Maintenance): Promise<Settings> {
  const settings = new Map<InternalSetting, string>();
  for await (const row of archive.internals.read()) {
    if (row.kind !== "setting") break;
    settings.set(row.name, row.value);
  }
  return settings;
}

async function isEmpty({ maintenance }: CallStore): Promise<boolean> {
  for await (const row of maintenance.internals.read()) if (row.kind !== "setting") return false;
  await using scan = await maintenance.scan();
  const { done } = await scan.rows()[Symbol.asyncIterator]().next();
  return done === true;
}

// The largest number of rows, and of bytes of records, that are written together.
const BATCH_ROWS = 2_000;
const BATCH_BYTES = 16_000_000;

interface MovedRecords {
  readonly rejected: readonly string[];
  readonly damaged: readonly string[];
}

/** Returns a sentence for each rejected row, and the names of damaged records, which are left out. */
// As an import, it would leave out what is due by the policy of the archive.
const UNKNOWN: Writer = { operation: "migrate", operator: "unknown" };

async function moveRecords(
  { from, to, act, onProgress = () => {} }: MigrateOptions,
  after: string,
): Promise<MovedRecords> {
  await using scan = await from.scan({ act, ...(after !== "" && { after }) });
  // The ledger moves first: otherwise the other archive would be behind it.
  await moveLedger(from, to.maintenance);
  // A record that exists in `from` was not erased, or was brought back. A mark that an earlier migration moved must not keep it out.
  await using session = await to.openImport({ restoresErased: true, writer: act ?? UNKNOWN });
  const rejected: string[] = [];
  const damaged: string[] = [];
  let batch: ScannedRow[] = [];
  let [bytes, bytesDone] = [0, 0];
  const write = async () => {
    const outcomes = await session.write(batch.map(({ items }) => items.map(withoutState)));
    for (const outcome of outcomes)
      if (typeof outcome === "object") rejected.push(`not taken: ${outcome.rejected}`);
    const last = batch.findLast(({ id }) => id !== undefined)?.id;
    if (last !== undefined) await note(to, last);
    onProgress({ step: "records", bytesDone: (bytesDone += bytes), bytesTotal: scan.bytes });
    [batch, bytes] = [[], 0];
  };
  for await (const row of scan.rows()) {
    batch.push(row);
    damaged.push(...(row.damaged ?? []));
    bytes += row.bytes;
    if (batch.length >= BATCH_ROWS || bytes >= BATCH_BYTES) await write();
  }
  await write();
  return { rejected, damaged };
}

/** To an archive whose place of recordings has a ledger. */
async function moveLedger({ ledger: from }: Maintenance, { ledger: to }: Maintenance) {
  if (from === undefined || to === undefined) return;
  await copyEntries(from.place, to.place);
  await to.follow(await from.readHead());
}

const putIn =
  (name: "migrated_after" | "migrating") =>
  ({ maintenance }: CallStore, value: string): Promise<void> =>
    maintenance.internals.write([{ kind: "setting", name, value }]);

const note = putIn("migrated_after");
const mark = putIn("migrating");

/** The state of a content and the path of a linked one are specific to a media store. */
function withoutState(item: ArchiveItem): ArchiveItem {
  if (item.kind !== "call") return item;
  const recordings = item.recordings.map((recording) => {
    const { sha256, bytes, type, modifiedMs } = recording.media;
    return { ...recording, media: { sha256, bytes, type, modifiedMs } };
  });
  return { ...item, recordings };
}

const BATCH_INTERNALS = 1_000;

/** The others are written when the migration begins, or are of the archive's own. */
const MOVED: ReadonlySet<InternalSetting> = new Set(["policy", "owed_marks"]);

/** Moves credentials, tombstones and the rows of the access log that `to` lacks; returns the hash of the newest row. */
export async function moveInternals(from: Maintenance, to: CallStore): Promise<string | undefined> {
  const head = await checkContinues(from, to);
  let lastHash = head?.hash;
  let batch: InternalRow[] = [];
  const write = async () => {
    await to.maintenance.internals.write(batch);
    batch = [];
  };
  for await (const row of from.internals.read(head?.seq)) {
    if (row.kind === "setting" && !MOVED.has(row.name)) continue;
    if (row.kind === "access") lastHash = row.hash;
    if (batch.push(row) >= BATCH_INTERNALS) await write();
  }
  await write();
  return lastHash;
}

/** Returns the newest row of the access log of `to`. Throws `ArchiveError` if `from` lacks it. */
async function checkContinues(from: Maintenance, to: CallStore): Promise<ChainHead | undefined> {
  const head = await to.accessLog.witness();
  if (head === undefined) return undefined;
  for await (const row of from.internals.read(head.seq - 1)) {
    if (row.kind !== "access") continue;
    if (row.hash === head.hash) return head;
    break;
  }
  throw new ArchiveError(
    `the access log that is migrated to has a row ${head.seq} that the other one lacks: both were written to, and neither continues the other. Migrate into an empty place, and serve only one of the two`,
  );
}
