// `call-media-server backup` and `restore`: copies everything an archive consists of, and checks it while copying.
import { toPrintable } from "@call-media/service/printable";
import type { BackupReport, CopyReport, OperatorAct, RestoreReport } from "@call-media/store";
import { findAdapter, openLedger, openMaintenance, type Places } from "@call-media/store/open";
import { type Command, Option } from "commander";
import { console, io, toCounted, toSize, toWholeNumber } from "@call-media/terminal";
import { toDamagedLines, toDamageLine, toUnread } from "../command-line/damage.ts";
import { toOperator } from "../command-line/operator.ts";
import { noteDone } from "../command-line/note-done.ts";
import { createProgress } from "../command-line/progress.ts";
import { type Ending, recorded } from "../command-line/recorded.ts";
import {
  addPlaces,
  describePlaces,
  type PlaceFlags,
  toPlaces,
  unable,
} from "../command-line/places.ts";
import { toErasedText, toPassedOver } from "./erased-text.ts";

const BACKUP_HELP = `
The service and imports may keep running: the backup is the archive as it was at one moment, with every recording
hashed on the way. What is then on the disk of the backup, "verify" reads. A folder that has a backup of this archive is updated: only new recordings are copied, and the old
backup stays valid until the new one is complete. A backup contains everything, including hashes of credentials and
the access log, so keep it as safe as the archive.

  $ call-media-server backup --data ./archive --to /mnt/backup/archive
  $ call-media-server verify --data /mnt/backup/archive
  $ call-media-server restore --from /mnt/backup/archive --data ./archive

--keep-days keeps several states: each backup is a folder of its own in --to, named by its time, and they share the recordings. Those
that are older go, but for the newest. "restore", "verify", "doctor" and "export" read --to, which is the newest, or one of the folders.

  $ call-media-server backup --data ./archive --to /mnt/backup/nightly --keep-days 35
  $ call-media-server restore --from /mnt/backup/nightly/2026-11-26T220510.000Z --data ./archive

Recordings that a purge has removed since go from all of them with the next backup. The records of such calls go with their backup, and a
restore removes them. A backup that lacks something drops no earlier one. An interrupted backup may leave a folder ".generation-" with
six characters: the next backup removes the records in it that were not complete, and all of it after 7 days; or remove it yourself
when no backup is running.

Records are compared with the digests that they were imported with. A backup with damaged records never takes the place
of an earlier one.

Exit code: 0 the backup is complete, 1 there is none, or recordings are missing from it, or records in it or its search
index are damaged, which is listed.`;

const RESTORE_HELP = `
The folder must be empty or new; nothing is overwritten. Recordings that are left in its media folder are used if they
are right. An interrupted restore can be run again.

The archive is as it was when the backup was made, but for what was purged since: restore removes that again, as far as
the ledger of the backup says it. Each purge adds to the ledgers of the backups that it reaches. --ledger names another
one: the folder "ledger" of the archive that was, or s3://BUCKET/PREFIX. A ledger that lacks entries is refused, unless
--without-ledger says to go on: then purge again what was purged since.

The ledger also has the holds that came since the backup, those that were released, and what is owed an erasure: restore names the holds.
The policy of retention is that of the backup: "retention show" prints it.

  $ call-media-server restore --from /mnt/backup/archive --data ./archive
  $ call-media-server restore --from /mnt/backup/archive --data ./archive --ledger /mnt/old/archive/ledger

Exit code: 0 everything was restored, 1 nothing was, or recordings or records in the backup were damaged, which are
listed.`;

interface BackupFlags extends PlaceFlags {
  readonly to: string;
  readonly keepDays?: number;
}

const MAX_DAYS = 36_500;

interface RestoreFlags extends PlaceFlags {
  readonly from: string;
  readonly ledger?: string;
  readonly withoutLedger?: true;
}

// A database and a bucket can hold more than fits one directory, so their own tools copy them.
const OTHER_BACKUPS =
  'Back up the database first and then the bucket by their own means; "export" writes records and recordings to files';

export function configureBackup(command: Command): void {
  addPlaces(command)
    .requiredOption("--to <dir>", "the folder of the backup; made if it is missing")
    .option(
      "--keep-days <days>",
      "keep the backups of the last days in the folder, each by itself",
      toWholeNumber(1, MAX_DAYS),
    )
    .addHelpText("after", BACKUP_HELP)
    .action(async (flags: BackupFlags) => {
      const { to, keepDays, ...places } = flags;
      using progress = createProgress();
      const archive = await openMaintenance(toPlaces(places));
      const asked = { to, ...(keepDays !== undefined && { keep_days: keepDays }) };
      const act = { operation: "backup", asked } as const;
      const report = await recorded(
        { log: archive, ...act, toEnding },
        async () =>
          (await archive.snapshot?.(to, { keepDays, onProgress: progress.update })) ??
          unable(`be backed up: only a folder that has both can. ${OTHER_BACKUPS}`),
      );
      progress[Symbol.dispose]();
      // One that lacks something is no reason to feel safe.
      if (isWhole(report)) await noteDone(archive, "backup");
      account(report, { text: `in ${to}`, places: { records: to } });
      for (const line of toDroppedLines(report, flags)) console.log(line);
    });
}

const isWhole = ({ damages, damagedRecords }: BackupReport): boolean =>
  damages.length + damagedRecords.length === 0;

function toDroppedLines(report: BackupReport, { to, keepDays }: BackupFlags): string[] {
  const { dropped, erasedSound } = report;
  const { files, bytes } = erasedSound;
  return [
    ...(keepDays === undefined || isWhole(report)
      ? []
      : ["No earlier backup was dropped: what this one lacks may be in it."]),
    ...(dropped.length > 0
      ? [`Dropped ${toCounted(dropped.length, "backup")}: ${dropped.join(", ")}.`]
      : []),
    ...(files > 0
      ? [`Removed ${toCounted(files, "file")} of purged recordings (${toSize(bytes)}) from ${to}.`]
      : []),
  ];
}

export function configureRestore(command: Command): void {
  addPlaces(command, "the folder for the archive: empty or new")
    .requiredOption("--from <dir>", "the folder of the backup")
    .addOption(
      new Option("--ledger <place>", "also remove what this ledger says").conflicts(
        "withoutLedger",
      ),
    )
    .option("--without-ledger", "go on although entries of the ledger are lost")
    .addHelpText("after", RESTORE_HELP)
    .action(async ({ from, ledger: place, withoutLedger, ...flags }: RestoreFlags) => {
      const named = place === undefined ? undefined : await openLedger(place);
      const ledger = withoutLedger === true ? null : named;
      using progress = createProgress();
      const places = toPlaces(flags);
      const { maintenance: archive, exists } = await findAdapter(places);
      // The target has no log yet; its first row arrives with the restored log.
      const log = {
        record: async (act: OperatorAct) => {
          if (act.outcome !== "begun" && (await exists())) await archive.record(act);
        },
      };
      const act = { operation: "restore", asked: { from } } as const;
      const report = await recorded(
        { log, ...act, toEnding },
        async (run) =>
          (await archive.restore?.(from, {
            operator: toOperator(),
            run,
            ledger,
            onProgress: progress.update,
          })) ?? unable(`be restored: only a folder for both can. ${OTHER_BACKUPS}`),
      );
      progress[Symbol.dispose]();
      account(report, { text: `in ${describePlaces(places)}`, places });
      for (const line of toPassedOver(report.passedOver)) console.error(line);
      console.log(toPurgedText(report));
      console.log(
        "Credentials and rights are those of the backup: revoke again what was revoked since.",
      );
      for (const line of toHoldLines(report)) console.log(toPrintable(line));
      console.log('The policy is that of the backup: "retention show" prints it.');
    });
}

function toPurgedText({ backupOf, erasedAgain, passedOver }: RestoreReport): string {
  const begin = `The backup is of ${backupOf}.`;
  if (passedOver !== undefined)
    return `${begin} By the entries of the ledger that can be read was removed: ${toErasedText(erasedAgain)}. What else was purged since is in this archive again: purge it again before you serve it. The access log of the archive before, if you still have it, names it: "audit --since ${backupOf}".`;
  const { newest, newestAt } = erasedAgain;
  if (newestAt === undefined)
    return `${begin} The ledger has no purge since: it reaches to ${newest === 0 ? "none" : `the entry ${newest}`}. If the archive before has a newer one, restore again into another folder with --ledger.`;
  return `${begin} What was purged since was removed again: ${toErasedText(erasedAgain)}. The ledger reaches to the entry ${newest}, of ${newestAt}.`;
}

function toHoldLines({ erasedAgain, passedOver }: RestoreReport): readonly string[] {
  const { holds, owed } = erasedAgain;
  const { added, released } = holds;
  const list = (names: readonly string[]) =>
    `${toCounted(names.length, "hold")}, ${names.join(", ")}`;
  return [
    ...(added.length > 0 ? [`From the ledger: ${list(added)}.`] : []),
    ...(released.length > 0 ? [`Released since the backup: ${list(released)}.`] : []),
    ...(owed > 0
      ? [
          `Owed an erasure: ${toCounted(owed, "identifier")}. "purge --owed" removes what no hold keeps.`,
        ]
      : []),
    ...(passedOver === undefined
      ? []
      : ['A hold that only a lost file had is not there: compare "hold list" with your cases.']),
  ];
}

function toEnding({ calls, mediaFiles, damages, damagedRecords }: CopyReport): Ending {
  const files = mediaFiles - damages.length;
  return { counts: { calls, files, missing: damages.length, damaged: damagedRecords.length } };
}

interface Target {
  readonly text: string;
  readonly places: Places;
}

function account(report: CopyReport, { text, places }: Target): void {
  const { calls, mediaFiles, mediaBytes, copied, damages, damagedRecords, indexFault } = report;
  const count = (n: number) => n.toLocaleString("en");
  for (const line of toDamagedLines(damagedRecords)) console.log(line);
  for (const damage of damages) console.log(toDamageLine(damage));
  if (indexFault !== undefined)
    console.log(
      `damaged: ${indexFault}. Records and recordings do not depend on it: "reindex" makes it anew, here and in what is restored from here.`,
    );
  const there = mediaFiles - copied - damages.length;
  console.log(
    `${toCounted(calls, "call")} ${text}, with ${count(mediaFiles - damages.length)} of ${toCounted(mediaFiles, "file")} of recordings (${toSize(mediaBytes)}): ${count(copied)} copied, ${count(there)} were there.`,
  );
  if (copied + there > 0) console.log(toUnread(places));
  if (damages.length + damagedRecords.length > 0 || indexFault !== undefined) io().exitCode = 1;
}
