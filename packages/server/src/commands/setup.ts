// `call-media-server setup`: creates the tables of an archive, or upgrades them, before servers of this version start.
import { isFault, type MediaStore } from "@call-media/store";
import { createStore, openMaintenance, type Places } from "@call-media/store/open";
import { toPrintable } from "@call-media/service/printable";
import type { Command } from "commander";
import { toOperator } from "../command-line/operator.ts";
import {
  addPlaces,
  describePlaces,
  type PlaceFlags,
  toPlaces,
  unable,
} from "../command-line/places.ts";
import { type Ending, recorded } from "../command-line/recorded.ts";
import { console, io } from "@call-media/terminal";
import { toErasedText, toPassedOver } from "./erased-text.ts";

const HELP = `
setup makes an archive where there is none. Where there is one, it brings its tables to the version of this program. Stop the
servers of the version before first: what they revoke or prolong after setup is damaged for the new ones, and gives no right.
Run setup before new servers start, as a user who may create tables; the servers do not need to. Running it again changes nothing. An archive in a folder needs no setup:
"import" makes it.

It also looks whether the place of the recordings can be used, and prints the SQL by which servers get a role of their
own. That role adds rows to the access log, and can neither change nor remove them.

  $ export CALL_MEDIA_RECORDS=postgres://owner:...@db.example.com/call_media
  $ export CALL_MEDIA_MEDIA='s3://recordings?region=eu-west-1'
  $ call-media-server setup --timezone Europe/London`;

interface SetupFlags extends PlaceFlags {
  readonly timezone?: string;
  readonly withoutLedger?: true;
}

async function skipLedger(places: Places): Promise<void> {
  const archive = await openMaintenance(places);
  const { erasedAgain, passedOver } =
    (await archive.skipLedger?.(toOperator())) ?? unable("go on without a ledger: it has none");
  for (const line of toPassedOver(passedOver)) console.error(line);
  console.log(
    `By the entries that can be read was removed: ${toErasedText(erasedAgain)}. Purge again what the others purged.`,
  );
}

export function configureSetup(command: Command): void {
  addPlaces(command)
    .option(
      "--timezone <name>",
      "where days begin, an IANA name; an archive that has calls keeps its own (default: UTC)",
    )
    .option("--without-ledger", "go on although entries of the ledger of purges are lost")
    .addHelpText("after", HELP)
    .action(async ({ timezone: timeZone, withoutLedger, ...flags }: SetupFlags) => {
      const places = toPlaces(flags);
      if (withoutLedger === true) await skipLedger(places);
      const behind: string[] = [];
      const onBehind = (why: string) => void behind.push(why);
      await using store = await createStore(places, { timeZone, onBehind });
      const { media, maintenance, accessLog: log } = store;
      const asked = { time_zone: timeZone ?? null };
      const look = () => findFault(media, behind);
      // Setup must not write the first row of an archive: a migration only accepts a target without rows.
      const isNew = (await log.witness()) === undefined;
      const fault = isNew
        ? await look()
        : await recorded({ log, operation: "setup", asked, toEnding }, look);
      const where = describePlaces(places);
      const state = fault?.state ?? "is ready";
      console.log(
        toPrintable(`The archive in ${where} ${state}; its time zone is ${store.timeZone}.`),
      );
      for (const why of fault?.whys ?? []) console.error(toPrintable(`call-media-server: ${why}`));
      if (fault !== undefined) io().exitCode = 1;
      if (maintenance.serviceRole !== undefined)
        console.log(`\n${ROLES}\n\n${maintenance.serviceRole}`);
    });
}

/** Why an archive is not ready. */
interface Fault {
  readonly state: string;
  readonly reason: "recordings" | "ledger";
  readonly whys: readonly string[];
}

const toEnding = (fault: Fault | undefined): Ending =>
  fault === undefined ? {} : { outcome: "failed", reason: fault.reason };

async function findFault(media: MediaStore, behind: readonly string[]): Promise<Fault | undefined> {
  const faults = await findFaults(media);
  if (faults.length > 0)
    return {
      state: "has its tables, but its recordings have no place yet",
      reason: "recordings",
      whys: faults,
    };
  if (behind.length === 0) return undefined;
  return { state: "may still have what a purge took out", reason: "ledger", whys: behind };
}

const ROLES = `Two roles keep the access log. The one that setup has now owns the tables: let import, purge and migrate have it
as well. Servers need one that adds rows, and can neither change nor remove them. In psql, once, as an administrator:`;

/** Each fault of the place with advice; empty if it can store recordings. */
async function findFaults(media: MediaStore): Promise<string[]> {
  const findings = (await media.check?.()) ?? [];
  const faults = findings.filter(({ level }) => level === "error");
  if (faults.length > 0) return faults.map(({ what, where, todo }) => `${where}: ${what}; ${todo}`);
  try {
    await media.reach?.();
    return [];
  } catch (error) {
    if (!isFault(error, "unavailable", "lost")) throw error;
    return [`${error.message}: make it, or correct the address, and run setup again`];
  }
}
