// `call-media-server migrate`: moves a complete archive to other places, and compares the two at the end.
import {
  type CallStore,
  type Maintenance,
  type MigrationReport,
  migrateArchive,
  moveInternals,
  readSettings,
} from "@call-media/store";
import { findAdapter, openMaintenance, type Places } from "@call-media/store/open";
import { toPrintable } from "@call-media/service/printable";
import type { Command } from "commander";
import { console, io, toCounted, toSize, UsageError } from "@call-media/terminal";
import {
  createDamagedOption,
  type DamagedFlag,
  toDamagedLines,
  toDamageLine,
} from "../command-line/damage.ts";
import {
  addPlaces,
  checkNoSecret,
  describePlaces,
  type PlaceFlags,
  toPlaces,
} from "../command-line/places.ts";
import { createProgress } from "../command-line/progress.ts";
import { type Ending, recorded } from "../command-line/recorded.ts";

const HELP = `
migrate copies everything: records, chats, users and their rights, applications, keys and tokens (their hashes), the
access log with its chain, what purges remember, and recordings. Whoever had a credential keeps it. Linked recordings are
copied as well. The archive that is migrated from stays as it is; its access log gets two rows.

  $ call-media-server migrate --from ./archive --records postgres://cm@db/cm --media s3://recordings/cm
  $ call-media-server migrate --from postgres://cm@db/cm --from-media s3://recordings/cm --data ./archive --media ./archive/media

Run an interrupted migration again to continue it. Stop the service before the last run: what is written to the first
archive meanwhile would be missing in the second. To keep the pause short, migrate once while the service runs, stop it, and
migrate again.

At the end both archives are read and compared: as many records on each day, equal digests of all records, credentials and
what purges remember, an access log that continues the old one. Each recording is read back where it was copied to. Until
all of that is equal the second archive is refused by every other command. A record that is not what was imported (a disk has changed it) is left out and named, and the
archives are not equal then. Exit code: 0 they are equal, 1 they are not, or the migration failed, 2 they are equal but
for recordings that were missing or damaged before, or records left out by --damaged skip.

A password does not belong into an option, where every user of the machine sees it: put it into PGPASSFILE or PGPASSWORD,
or the address with it into CALL_MEDIA_RECORDS.`;

interface MigrateFlags extends PlaceFlags, DamagedFlag {
  readonly from: string;
  readonly fromMedia?: string;
}

const SOME_DAMAGED = 2;

export function configureMigrate(command: Command): void {
  command
    .requiredOption(
      "--from <address>",
      "where the records of the archive are, a folder or an address",
    )
    .option("--from-media <address>", "where its recordings are (default: media in its folder)");
  addPlaces(command, "the folder that the archive goes to")
    .addOption(createDamagedOption("skip: what is damaged may be missing where it is migrated to"))
    .addHelpText("after", HELP)
    .action(async (flags: MigrateFlags) => {
      checkNoSecret("--from", flags.from);
      const from = { records: flags.from, media: flags.fromMedia, env: io().env };
      const to = toPlaces(flags);
      if (describePlaces({ records: from.records }) === describePlaces({ records: to.records }))
        throw new UsageError(`the archive is in ${flags.from} already: give another place`);
      const skipsDamaged = flags.damaged === "skip";
      const report = await migrate({ from, to, skipsDamaged });
      const verdict = toVerdict(report, skipsDamaged);
      console.log(toAccount(report, [verdict.text]));
      if (verdict.exitCode > 0) io().exitCode = verdict.exitCode;
    });
}

interface Migration {
  readonly from: Places;
  readonly to: Places;
  readonly skipsDamaged: boolean;
}

async function migrate(asked: Migration): Promise<MigrationReport> {
  const from = await openMaintenance(asked.from);
  const command = { operation: "migrate", asked: { to: describePlaces(asked.to) } } as const;
  const { report, to } = await recorded({ log: from, ...command, toEnding }, () =>
    move(from, asked),
  );
  try {
    // The target's log, which continues, records how the migration ended.
    const lastHash = await moveInternals(from, to);
    return { ...report, lastHash, logRows: report.logRows + 1 };
  } finally {
    await to[Symbol.asyncDispose]();
  }
}

interface Moved {
  readonly report: MigrationReport;
  readonly to: CallStore;
}

async function move(from: Maintenance, { to: places, skipsDamaged }: Migration): Promise<Moved> {
  // Comes first: it rejects a wrong place before another archive is created.
  const settings = await readSettings(from);
  const adapter = await findAdapter(places);
  const to = await adapter.create({ timeZone: settings.get("time_zone"), toMigrate: true });
  try {
    using progress = createProgress();
    const { update: onProgress } = progress;
    return { report: await migrateArchive({ from, to, skipsDamaged, onProgress }), to };
  } catch (error) {
    await to[Symbol.asyncDispose]();
    throw error;
  }
}

function toEnding({ report }: Moved): Ending {
  const { calls, mediaFiles, damages, damagedRecords, differences } = report;
  const left = { missing: damages.length, damaged: damagedRecords.length };
  const counts = { calls, files: mediaFiles, ...left, differences: differences.length };
  return differences.length === 0 ? { counts } : { outcome: "failed", reason: "different", counts };
}

function toVerdict(
  { differences, damages, damagedRecords }: MigrationReport,
  skips: boolean,
): { readonly text: string; readonly exitCode: number } {
  const left = damagedRecords.length;
  if (differences.length > 0 || (left > 0 && !skips)) {
    const text =
      'The two archives are not equal: mend what is damaged ("doctor" says how), stop the service, and migrate again.';
    return { text, exitCode: 1 };
  }
  const missing = [
    ...(damages.length > 0 ? [`${toCounted(damages.length, "file")} of recordings`] : []),
    ...(left > 0 ? [toCounted(left, "damaged row")] : []),
  ];
  if (missing.length === 0)
    return { text: "The records of the two archives are equal.", exitCode: 0 };
  const text = `Left out: ${missing.join(" and ")}. The records of the two archives are equal otherwise.`;
  return { text, exitCode: SOME_DAMAGED };
}

function toAccount(report: MigrationReport, verdict: readonly string[]): string {
  const { calls, mediaFiles, mediaBytes, damages, logRows, lastHash, differences } = report;
  return [
    ...toDamagedLines(report.damagedRecords),
    ...damages.map((damage) => toDamageLine(damage)),
    ...differences.map((difference) => toPrintable(`different: ${difference}`)),
    `${toCounted(calls, "call")}, ${toCounted(mediaFiles, "file")} of recordings (${toSize(mediaBytes)}), ${toCounted(logRows, "row")} of the access log.`,
    ...verdict,
    ...(lastHash === undefined ? [] : [`The last hash of the access log: ${lastHash}`]),
  ].join("\n");
}
