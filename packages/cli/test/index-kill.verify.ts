// An index that is killed while it is made: the next run has all of it.
import { statSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { makeFolder, writeExport } from "./support/made-export.ts";
import { run, startProcess } from "./support/program.ts";

const CALLS = Array.from({ length: 20_000 }, (_, index) => ({
  call_id: String(index),
  // Words that no other call has.
  notes: `${index % 2 === 0 ? "refund" : "bill"} ${Array.from({ length: 20 }, (_word, at) => `${at}word${index}`).join(" ")}`,
}));

/** More than SQLite holds back: it is in the middle of its one transaction. */
const WRITTEN_BYTES = 3_000_000;

const readSize = (path: string) => statSync(path, { throwIfNoEntry: false })?.size ?? 0;

const count = (folder: string, words: string) =>
  run(["search", "--in", folder, "--words", words, "--count"]);

test.each(["from nothing", "over an earlier one"])("%s", async (what) => {
  const folder = await makeFolder();
  const isEarlier = what !== "from nothing";
  if (isEarlier) {
    await writeExport(folder, { calls: CALLS.slice(0, 1000) });
    await run(["index", folder]);
  }
  await writeExport(folder, { calls: CALLS });
  const { child, ended } = startProcess(["index", folder]);
  const index = join(folder, "words.db");
  while (readSize(index) < WRITTEN_BYTES && child.exitCode === null) await sleep(1);
  child.kill("SIGKILL");
  await ended;
  expect((await count(folder, "refund")).stdout).toBe("10000\n");
  expect((await count(folder, "7word19999")).stdout).toBe("1\n");
  const { differences } = JSON.parse((await run(["verify", folder, "--json"])).stdout);
  expect(JSON.stringify(differences)).not.toContain("words.db");
});
