// Commands for holds that are killed between the ledger and the archive: no hold is lost, whichever of the two is set back.
import { cp } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createStore, openMaintenance } from "../src/open.ts";
import { call, fill } from "../src/suite/records.ts";
import { createFolder } from "./support/archives.ts";
import { killed, toUrl } from "./support/killed.ts";
import { expectWell } from "./support/purging.ts";

const HOLD = { name: "smith", reason: "r", holds: { callIds: ["A"] } };
const BY = { operation: "hold add", operator: "olive" } as const;

/** `dies`: at the first of these calls of the ledger, before or after it. */
const toWork = (directory: string, work: string, dies: string) => `
  import { createLedgerFolder } from ${toUrl("../src/media/ledger-folder.ts")};
  import { createMediaFolder } from ${toUrl("../src/media/media-folder.ts")};
  import { createMaintenance } from ${toUrl("../src/sqlite/maintenance/maintenance.ts")};
  const directory = ${JSON.stringify(directory)};
  const place = createLedgerFolder(directory + "/ledger");
  const die = (at) => at === "${dies}" && process.kill(process.pid, "SIGKILL");
  const watch = (name) => async (...given) => {
    die("before " + name);
    const done = await place[name](...given);
    die("after " + name);
    return done;
  };
  const ledger = { ...place, add: watch("add"), putHold: watch("putHold") };
  const media = { ...createMediaFolder(directory + "/media"), ledger };
  const { holds, erase } = createMaintenance(directory, { media });
  await ${work};`;

const ADD = `holds.add(${JSON.stringify(HOLD)}, ${JSON.stringify(BY)})`;

async function createBackedUp() {
  const directory = await createFolder();
  const backup = join(await createFolder(), "backup");
  {
    await using store = await createStore({ records: directory });
    await fill(store, [call({ call_id: "A" }), call({ call_id: "B" })]);
    await store.maintenance.snapshot?.(backup);
  }
  return { directory, backup, archive: await openMaintenance({ records: directory }) };
}

test.each([
  ["before putHold", 0],
  ["after putHold", 1],
])("hold add, %s", async (dies, holds) => {
  const { directory, archive } = await createBackedUp();
  await killed(toWork(directory, ADD, dies));
  expect(await archive.planErasure({ callId: "A" })).toMatchObject({ calls: 1 - holds });
  expect(await archive.holds.list()).toHaveLength(holds);
  await expectWell(directory);
  if (holds === 0) await archive.holds.add(HOLD, BY);
  expect(await archive.holds.release("smith")).toBe(0);
  await expectWell(directory);
});

test.each([
  ["before putHold", 1],
  ["after putHold", 0],
])("hold release, %s", async (dies, holds) => {
  const { directory, archive } = await createBackedUp();
  await archive.holds.add(HOLD, BY);
  await killed(toWork(directory, `holds.release("smith")`, dies));
  expect(await archive.planErasure({ callId: "A" })).toMatchObject({ calls: 1 - holds });
  expect(await archive.holds.release("smith")).toBe(holds === 0 ? undefined : 0);
  await expectWell(directory);
});

test("a hold that was added and killed in between is in a restored archive", async () => {
  const { directory, backup, archive } = await createBackedUp();
  await killed(toWork(directory, ADD, "after putHold"));
  await archive.snapshot?.(backup);
  const restored = await openMaintenance({ records: join(await createFolder(), "restored") });
  await restored.restore?.(backup);
  expect(await restored.holds.list()).toMatchObject([{ name: "smith", calls: 1 }]);
});

test.each(["before add", "after add"])("a purge of what is held, %s", async (dies) => {
  const { directory, backup, archive } = await createBackedUp();
  await archive.holds.add(HOLD, BY);
  const old = await createFolder();
  await cp(directory, old, { recursive: true });
  const filter = JSON.stringify({ callIds: ["A", "B"] });
  await killed(toWork(directory, `erase(${filter}, { operator: "olive", case: "c" })`, dies));
  const isOwed = dies === "after add";
  expect(await archive.planErasure({ callId: "A" })).toMatchObject({ calls: 0, held: {} });
  await archive.holds.list();
  await archive.erase({ isOwed: true }, { operator: "olive" });
  expect(await archive.holds.release("smith")).toBe(isOwed ? 1 : 0);
  const restored = await openMaintenance({ records: join(await createFolder(), "restored") });
  await archive.snapshot?.(backup);
  await restored.restore?.(backup);
  for (const one of [archive, restored])
    expect(await one.planErasure({ isOwed: true })).toMatchObject({ calls: Number(isOwed) });
  await expectWell(directory);
});
