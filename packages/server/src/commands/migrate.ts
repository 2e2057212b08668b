// `call-media-server migrate`: an archive moved to other places, whole, and compared at the end.
import { type MigrationReport, migrateArchive, readSettings } from "@call-media/store";
import { findAdapter, openMaintenance } from "@call-media/store/open";
import { toPrintable } from "@call-media/service/printable";
import { type Command, Option } from "commander";
import { toCount } from "../command-line/count.ts";
import { toDamageLine } from "../command-line/damage.ts";
import { toOperator } from "../command-line/operator.ts";
import { createProgress, toSize } from "../command-line/progress.ts";
import { UsageError } from "../command-line/usage-error.ts";
import { console, io } from "../io.ts";

const HELP = `
migrate copies everything: records, chats, users and their rights, applications, keys and tokens (their hashes), the
access log with its chain, what purges remember, and recordings. Whoever had a credential keeps it. Linked recordings are
copied as well. The archive that is migrated from stays as it is; its access log gets one row.

  $ call-media-server migrate --from ./archive --records postgres://cm@db/cm --media s3://recordings/cm
  $ call-media-server migrate --from postgres://cm@db/cm --from-media s3://recordings/cm --records ./archive

Run an interrupted migration again to continue it. Stop the service before the last run: what is written to the first
archive meanwhile would be missing in the second. To keep the pause short, migrate once while the service runs, stop it, and
migrate again.

At the end both archives are read and compared: as many records on each day, equal digests of all records, an access log
that continues the old one. Exit code: 0 they are equal, 1 they are not, or the migration failed, 2 they are equal, and
recordings were missing or damaged before.

A password does not belong into an option, where every user of the machine sees it: put it into PGPASSFILE or PGPASSWORD,
or the address with it into CALL_MEDIA_RECORDS.`;

interface MigrateFlags {
  readonly from: string;
  readonly fromMedia?: string;
  readonly records: string;
  readonly media?: string;
}

const SOME_DAMAGED = 2;

export function configureMigrate(command: Command): void {
  command
    .requiredOption("--from <place>", "where the records of the archive are")
    .option("--from-media <place>", "where its recordings are; default: in its folder")
    .addOption(
      new Option("--records <place>", "where the records go, a folder or a postgres:// address")
        .env("CALL_MEDIA_RECORDS")
        .makeOptionMandatory(),
    )
    .addOption(
      new Option("--media <place>", "where the recordings go; default: into the folder").env(
        "CALL_MEDIA_MEDIA",
      ),
    )
    .addHelpText("after", HELP)
    .action(async (flags: MigrateFlags) => {
      checkPlaces(command, flags);
      console.log(toAccount(await migrate(flags)));
    });
}

function checkPlaces(command: Command, { from, records }: MigrateFlags): void {
  if (from === records) throw new UsageError(`--from and --records are the same place: ${from}`);
  for (const name of ["from", "records"] as const) {
    const isShown = command.getOptionValueSource(name) === "cli";
    if (isShown && withoutPassword({ from, records }[name]) !== { from, records }[name])
      throw new UsageError(
        `--${name} has a password in it, which every user of the machine sees: use PGPASSFILE, PGPASSWORD or CALL_MEDIA_RECORDS`,
      );
  }
}

const withoutPassword = (place: string) => place.replace(/^(\w+:\/\/[^/:@]*):[^/@]*@/, "$1@");

async function migrate(flags: MigrateFlags): Promise<MigrationReport> {
  const from = await openMaintenance({ records: flags.from, media: flags.fromMedia });
  // First: it refuses a wrong place before another archive is made.
  const timeZone = (await readSettings(from)).get("time_zone");
  const adapter = await findAdapter({ records: flags.records, media: flags.media });
  await using to = await adapter.create({ timeZone });
  using progress = createProgress();
  const places = [flags.records, flags.media].filter((place) => place !== undefined);
  const asked = { to: places.map(withoutPassword) };
  const act = { operation: "migrate", operator: toOperator(), asked } as const;
  return await migrateArchive({ from, to, act, onProgress: progress.update });
}

function toAccount(report: MigrationReport): string {
  const { calls, mediaFiles, mediaBytes, damages, logRows, lastHash, differences } = report;
  const isEqual = differences.length === 0;
  if (!isEqual) io().exitCode = 1;
  else if (damages.length > 0) io().exitCode = SOME_DAMAGED;
  return [
    ...damages.map(toDamageLine),
    ...differences.map((difference) => toPrintable(`different: ${difference}`)),
    `${toCount(calls, "call")}, ${toCount(mediaFiles, "file")} of recordings (${toSize(mediaBytes)}), ${toCount(logRows, "row")} of the access log.`,
    isEqual
      ? "The two archives are equal."
      : "The two archives are not equal: stop the service, and migrate again.",
    ...(lastHash === undefined ? [] : [`The last hash of the access log: ${lastHash}`]),
  ].join("\n");
}
