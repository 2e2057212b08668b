// A purge of an archive in PostgreSQL that is killed at any of its steps: what its ledger says is gone after the next opening, and nothing
// else.
import { readdir } from "node:fs/promises";
import { expect, test } from "vitest";
import { openStore, type Places } from "../src/open.ts";
import { expectWell } from "../src/suite/holding.ts";
import { call, fill, message } from "../src/suite/records.ts";
import { killed, toUrl } from "./support/killed.ts";
import { usePostgres } from "./support/postgres.ts";
import { addRecording, listIds } from "./support/purging.ts";

const { createPlaces } = usePostgres();

/** Purges in a process that ends itself without warning when it has written the entry of this number, or else before it removes a file. */
const toPurge = (
  { records, media = "" }: Places,
  { before, dies }: { before: string; dies: number },
) => `
  import { createLedgerFolder } from ${toUrl("../src/media/ledger-folder.ts")};
  import { createMediaFolder } from ${toUrl("../src/media/media-folder.ts")};
  import { createMaintenance } from ${toUrl("../src/postgres/maintenance/maintenance.ts")};
  const directory = ${JSON.stringify(media.replace("file:", ""))};
  const place = createLedgerFolder(directory + "/.call-media-ledger");
  const ledger = {
    ...place,
    add: async (number, text) => {
      const isAdded = await place.add(number, text);
      if (number === ${dies}) process.kill(process.pid, "SIGKILL");
      return isAdded;
    },
  };
  const folder = createMediaFolder(directory);
  const remove = async (sha256) => {
    if (${dies} > 3) process.kill(process.pid, "SIGKILL");
    return await folder.delete(sha256);
  };
  const media = { ...folder, ledger, delete: remove };
  await createMaintenance({ address: ${JSON.stringify(records)}, media }).erase({ before: "${before}" }, { operator: "olive" });`;

async function listSounds({ media = "" }: Places): Promise<readonly string[]> {
  const files = await readdir(media.replace("file:", ""), { recursive: true });
  return files
    .map((file) => file.split("/").at(-1) ?? "")
    .filter((name) => /^[0-9a-f]{64}$/.test(name));
}

// A whole month goes in one transaction; of the other one only some days are old enough.
test.each([
  ["the first of its months", 1, 600],
  ["the last of its calls", 3, 0],
  ["its recordings", 4, 0],
])("one that is killed between the ledger and %s", async (_what, dies, left) => {
  const places = await createPlaces();
  {
    await using store = await openStore(places);
    const recordings = [await addRecording(store, "erased")];
    const toCall = (name: string, datetime: string) =>
      call({ call_id: name, datetime, notes: "Gespenst" }, { recordings });
    const old = Array.from({ length: 600 }, (_, at) => toCall(`c${at}`, "2025-04-01T10:00:00Z"));
    const later = Array.from({ length: 600 }, (_, at) => toCall(`d${at}`, "2025-05-01T10:00:00Z"));
    await fill(store, [...old, ...later]);
    await fill(store, [
      { kind: "chat", record: message("c599", "Nachtigall", "2025-04-01T10:00:00Z") },
      call({ call_id: "kept", datetime: "2025-05-09T10:00:00Z" }),
    ]);
  }
  await killed(toPurge(places, { before: "2025-05-02", dies }));

  await using store = await openStore(places);
  expect(await store.calls.chat("c599", "everything")).toEqual([]);
  expect(await listSounds(places)).toHaveLength(left === 0 ? 0 : 1);
  // What no entry says is there, until the purge is repeated.
  expect((await store.maintenance.planErasure({ before: "2025-05-02" })).calls).toBe(left);
  await store.maintenance.erase({ before: "2025-05-02" }, { operator: "olive" });
  expect(await listIds(store)).toEqual(["kept"]);
  expect(await listSounds(places)).toEqual([]);
  const again = call({ call_id: "c7", datetime: "2025-04-01T10:00:00.000Z", agent: "renamed" });
  expect(await fill(store, [again])).toEqual(["erased"]);
  await expectWell(store);
});
