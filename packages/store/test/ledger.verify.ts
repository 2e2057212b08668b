// A purge that is killed at any of its steps: what its ledger says is gone after the next opening, and nothing else.
import { join } from "node:path";
import { expect, test } from "vitest";
import { createStore, openMaintenance, openStore } from "../src/open.ts";
import { call, fill, message } from "../src/suite/records.ts";
import { createFolder } from "./support/archives.ts";
import { killed, toUrl } from "./support/killed.ts";
import { addRecording, contains, expectWell, listIds } from "./support/purging.ts";

const AT = "2025-05-01T10:00:00Z";

/** Purges in a process that ends itself without warning when it has written the entry of this number, or else before it removes a file. */
const toPurge = (directory: string, { before, dies }: { before: string; dies: number }) => `
  import { createLedgerFolder } from ${toUrl("../src/media/ledger-folder.ts")};
  import { createMediaFolder } from ${toUrl("../src/media/media-folder.ts")};
  import { createMaintenance } from ${toUrl("../src/sqlite/maintenance/maintenance.ts")};
  const directory = ${JSON.stringify(directory)};
  const place = createLedgerFolder(directory + "/ledger");
  const ledger = {
    ...place,
    add: async (number, text) => {
      const isAdded = await place.add(number, text);
      if (number === ${dies}) process.kill(process.pid, "SIGKILL");
      return isAdded;
    },
  };
  const folder = createMediaFolder(directory + "/media");
  const remove = async (sha256) => {
    if (${dies} > 3) process.kill(process.pid, "SIGKILL");
    return await folder.delete(sha256);
  };
  const media = { ...folder, ledger, delete: remove };
  await createMaintenance(directory, { media }).erase({ before: "${before}" }, { operator: "olive" });`;

test.each([
  ["the first of its calls, with their chats", 1, 501],
  ["the last of its calls", 2, 0],
  ["its recordings", 4, 0],
])("one that is killed between the ledger and %s", async (_what, dies, left) => {
  const directory = await createFolder();
  {
    await using store = await createStore({ records: directory });
    const recordings = [await addRecording(store, "erased")];
    await fill(
      store,
      Array.from({ length: 2_500 }, (_, index) =>
        call({ call_id: `c${index}`, datetime: AT, notes: "Gespenstergeschichte" }, { recordings }),
      ),
    );
    await fill(store, [
      { kind: "chat", record: message("c2499", "Nachtigallenstimme", AT) },
      call({ call_id: "kept", datetime: "2025-06-01T10:00:00Z" }),
    ]);
  }
  await killed(toPurge(directory, { before: "2025-05-02", dies }));

  await using store = await openStore({ records: directory });
  expect(await contains(directory, "achtigallenstimme")).toEqual([]);
  expect(await contains(directory, "sound of erased")).toHaveLength(left === 0 ? 0 : 1);
  // What no entry says is there, until the purge is repeated.
  expect((await store.maintenance.planErasure({ before: "2025-05-02" })).calls).toBe(left);
  await store.maintenance.erase({ before: "2025-05-02" }, { operator: "olive" });
  expect(await listIds(store)).toEqual(["kept"]);
  expect(await contains(directory, "espenstergeschichte")).toEqual([]);
  expect(await contains(directory, "sound of erased")).toEqual([]);
  expect(await fill(store, [call({ call_id: "c7", agent: "renamed" })])).toEqual(["erased"]);
  await expectWell(directory);
});

/** Purges in a process that ends itself without warning when the first rows of a step are gone. */
const toPurgeUntil = (directory: string, step: string) => `
  import { createMaintenance } from ${toUrl("../src/sqlite/maintenance/maintenance.ts")};
  const onProgress = ({ step }) => step === "${step}" && process.kill(process.pid, "SIGKILL");
  await createMaintenance(${JSON.stringify(directory)}).erase(
    { before: "2025-05-02" },
    { operator: "olive", onProgress },
  );`;

test.each([
  ["rows", "records", 500],
  ["recordings", "recordings", 0],
])(
  "one that is killed when the first of its %s have gone is in the ledger of the backup",
  async (_what, step, left) => {
    const directory = await createFolder();
    const [backup, restored] = [join(await createFolder(), "backup"), await createFolder()];
    {
      await using store = await createStore({ records: directory });
      const recordings = [await addRecording(store, "erased")];
      const old = Array.from({ length: 2_500 }, (_, index) =>
        call({ call_id: `c${index}`, datetime: AT }, { recordings }),
      );
      await fill(store, [...old, call({ call_id: "kept", datetime: "2025-06-01T10:00:00Z" })]);
      await store.maintenance.snapshot?.(backup);
    }
    await killed(toPurgeUntil(directory, step));

    const archive = await openMaintenance({ records: restored });
    const gone = { calls: 2_500 - left, files: left === 0 ? 1 : 0 };
    expect(await archive.restore?.(backup)).toMatchObject({ erasedAgain: gone });
    expect((await archive.planErasure({ before: "2025-05-02" })).calls).toBe(left);
  },
);
