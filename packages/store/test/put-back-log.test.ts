// The access log of an archive that was put back and is brought up to its ledger.
import { cp } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createStore, openMaintenance, openStore, type Places } from "../src/open.ts";
import { readAll } from "../src/suite/access-log.ts";
import { call, fill } from "../src/suite/records.ts";
import { createFolder } from "./support/archives.ts";
import { usePostgres } from "./support/postgres.ts";
import { listIds } from "./support/purging.ts";
import { keepCopy } from "./support/set-back.ts";

const postgresServer = usePostgres();
const AT = "2025-05-01T10:00:00Z";

const add = async (places: Places, callId: string) => {
  await using store = await createStore(places);
  await fill(store, [call({ call_id: callId, datetime: AT })]);
};

const purge = async (places: Places, callId: string) =>
  await (await openMaintenance(places)).erase({ callId }, { operator: "olive", case: "GDPR-2" });

/** Each changes an archive and returns the places of a copy that was made before. */
const ENGINES = {
  "a folder": async (change: (places: Places) => Promise<void>) => {
    const [records, old] = [join(await createFolder(), "a"), join(await createFolder(), "old")];
    const places = { records, media: await createFolder() };
    await add(places, "A");
    await cp(records, old, { recursive: true });
    await change(places);
    return { ...places, records: old };
  },
  "a database": async (change: (places: Places) => Promise<void>) => {
    const places = await postgresServer.createPlaces();
    await add(places, "A");
    const old = await keepCopy(postgresServer, places);
    await change(places);
    return old;
  },
};
const EACH = Object.entries(ENGINES);

test.each(EACH)(
  "the log of %s that lost rows gets none before the loss is accepted",
  async (_what, putBack) => {
    const old = await putBack(async (places) => {
      await purge(places, "A");
      const act = { operation: "export", operator: "olive", asked: {}, outcome: "done" } as const;
      await (await openMaintenance(places)).record(act);
    });
    const archive = await openMaintenance(old);
    const loss = "rows 1 to 2 are missing: it is empty";
    await expect(openStore(old)).rejects.toThrow(loss);
    await expect(archive.scan()).rejects.toThrow(loss);
    await expect(archive.skipLedger?.("olive")).rejects.toThrow(loss);
    expect(await archive.lostLog?.acceptLoss("olive")).toContain(loss);
    await using store = await openStore(old);
    expect(await listIds(store)).toEqual([]);
    expect((await readAll(store)).map(({ seq, operation }) => [seq, operation])).toEqual([
      [3, "audit accept-loss"],
      [4, "purge"],
    ]);
  },
);

test.each(EACH)(
  "in %s that never had what was purged the purge is found",
  async (_what, putBack) => {
    const old = await putBack(async (places) => {
      await add(places, "late");
      await purge(places, "late");
    });
    await using store = await openStore(old);
    const { taken } = await store.maintenance.planErasure({ callId: "late" });
    expect(taken).toMatchObject({ operator: "olive", asked: { ledger: "1 to 1", case: "GDPR-2" } });
    expect(await listIds(store)).toEqual(["A"]);
  },
);
