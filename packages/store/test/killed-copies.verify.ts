// A backup or a restore that is killed leaves its unfinished files to the next backup, restore or purge in the same folder.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { cp, readdir } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, test } from "vitest";
import { createStore, openMaintenance } from "../src/open.ts";
import { call, fill } from "../src/suite/records.ts";
import { createFolder } from "./support/archives.ts";
import { addRecording } from "./support/purging.ts";

const url = pathToFileURL(join(import.meta.dirname, "../src/sqlite/maintenance/backup.ts")).href;

/** Copies in a process that ends itself without warning when it has begun with the recordings. */
async function kill(copy: "backUp" | "restore", from: string, to: string): Promise<void> {
  const code = `
    import { ${copy} } from ${JSON.stringify(url)};
    const onProgress = ({ step }) => step === "recordings" && process.kill(process.pid, "SIGKILL");
    await ${copy}({ ...${JSON.stringify({ from, to })}, onProgress });`;
  const args = ["--input-type=module", "-e", code];
  const child = spawn(process.execPath, args, { stdio: ["ignore", "ignore", "pipe"] });
  let stderr = "";
  child.stderr.on("data", (text) => (stderr += String(text)));
  expect([...(await once(child, "exit")), stderr]).toEqual([null, "SIGKILL", expect.any(String)]);
  expect((await listParts(to)).filter((name) => name.endsWith(".part"))).toHaveLength(2);
}

const listParts = async (directory: string) =>
  (await readdir(directory)).filter((name) => name.includes(".part")).toSorted();

test("what a killed copy leaves goes with the next backup, restore or purge in the folder", async () => {
  const directory = await createFolder();
  const [backup, restored] = [join(await createFolder(), "backup"), await createFolder()];
  {
    await using store = await createStore({ records: directory });
    const recordings = [await addRecording(store, "A")];
    await fill(store, [call({ call_id: "A" }, { recordings })]);
  }
  const archive = await openMaintenance({ records: directory });
  await kill("backUp", directory, backup);
  await archive.snapshot?.(backup);
  expect(await listParts(backup)).toEqual([]);

  await kill("restore", backup, restored);
  for (const name of await listParts(restored))
    await cp(join(restored, name), join(directory, name));
  await (await openMaintenance({ records: restored })).restore?.(backup);
  expect(await listParts(restored)).toEqual([]);

  await archive.erase({ callId: "A" }, { operator: "olive" });
  expect(await listParts(directory)).toEqual([]);
});
