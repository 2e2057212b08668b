// Maintenance of an archive in PostgreSQL. Each operation opens its own connections when it is called.
import type { Maintenance } from "../../port/index.ts";
import { ArchiveError } from "../../port/faults.ts";
import { checkMigrated } from "../../values/half-migrated.ts";
import { toNextDigest } from "../digested.ts";
import { toOperatorEntry } from "../../values/access-chain.ts";
import { toNotedSetting, toNotedValue } from "../../values/noted-commands.ts";
import { toStoredSound } from "../../values/stored-sound.ts";
import { acceptLoss } from "../access-log.ts";
import { openArchive, type PostgresPlaces, toLogId } from "../archive.ts";
import { putSetting } from "../settings.ts";
import { toList } from "../values.ts";
import { check } from "./check.ts";
import { SERVICE_ROLE } from "../schema/service-role.ts";
import { createLedger } from "./archive-ledger.ts";
import { comeUp, skipLedgerAlone } from "./catch-up.ts";
import { createErasure } from "./erase.ts";
import { forgetAskedBefore } from "./forget-asked.ts";
import { listReplaced, readHistory } from "./history.ts";
import { createHolds } from "./holds.ts";
import { createInternals } from "./internals.ts";
import { appendNoted } from "./noted-row.ts";
import { openAlone } from "./open-alone.ts";
import { openReferencedMedia } from "./referenced-media.ts";
import { openScan } from "./scan.ts";
import { trace } from "./trace.ts";

export function createMaintenance(places: PostgresPlaces): Maintenance {
  const open = () => openArchive(places);
  const ledger = createLedger(places.media, open);
  return {
    media: places.media,
    serviceRole: SERVICE_ROLE,
    internals: createInternals(open),
    holds: createHolds(open),
    scan: async (options = {}) => {
      await using archive = await open();
      await comeUp(archive);
      return await openScan(await open(), options);
    },
    history: async (of) => {
      await using archive = await open();
      return await readHistory(archive, of);
    },
    listReplaced: async (callIds) => {
      await using archive = await open();
      return await listReplaced(archive.write.ask, callIds);
    },
    referencedMedia: async (days = {}) => await openReferencedMedia(await open(), days),
    noteVerified: async (verified) => {
      await using archive = await open();
      await archive.write.transact(({ ask }) =>
        ask(
          `UPDATE media SET version = noted.version, sound = coalesce(noted.sound, media.sound), digest = ${toNextDigest("media")}
         FROM unnest($1::text[], $2::text[], $3::text[]) AS noted (sha256, version, sound) WHERE media.sha256 = decode(noted.sha256, 'hex')`,
          [
            toList(verified.map(({ sha256 }) => sha256)),
            toList(verified.map(({ version = "" }) => version)),
            toList(verified.map(({ sound }) => toStoredSound(sound))),
          ],
        ),
      );
    },
    noteDone: async (command, count = 0) => {
      await using archive = await open();
      const value = toNotedValue({ atMs: Date.now(), count });
      await archive.write.transact(({ ask }) => putSetting(ask, toNotedSetting(command), value));
    },
    record: async (act) => {
      await using archive = await open();
      checkMigrated(archive.settings.migrating);
      await appendNoted(archive, toOperatorEntry(act));
    },
    ...createErasure(open),
    skipLedger: async (operator) => {
      await using archive = await openAlone(open);
      return await skipLedgerAlone(archive, operator);
    },
    ...(ledger !== undefined && { ledger }),
    forgetAsked: async (before, by) => {
      await using archive = await open();
      return await forgetAskedBefore(archive, before, by);
    },
    trace: async (of) => {
      await using archive = await open();
      return await trace(archive, of);
    },
    lostLog: {
      beginAnew: async () => {
        throw new ArchiveError(
          "nothing was done: the access log lies in the database with the records, and is not lost without them",
        );
      },
      acceptLoss: async (operator) => {
        await using archive = await open();
        return await acceptLoss({ ...archive, id: toLogId(archive.settings) }, (lost) =>
          toOperatorEntry({
            operation: "audit accept-loss",
            operator,
            asked: { lost },
            outcome: "done",
          }),
        );
      },
    },
    check: async (onProgress = () => {}) => await check(await open(), places, onProgress),
  };
}
