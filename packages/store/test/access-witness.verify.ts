// kill -9 while rows are added and witnessed: the archive opens again without an operator, since no row is named before it is
// on the disk.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { openStore } from "../src/sqlite/sqlite-store.ts";
import { toEntry } from "./suite/access-log.ts";
import { createClosedArchive } from "./support/kept-archive.ts";

const ROUNDS = 6;

const STORE = fileURLToPath(new URL("../src/sqlite/sqlite-store.ts", import.meta.url));

const SCRIPT = `
  const { openStore } = await import(process.argv[1]);
  const store = await openStore({ directory: process.argv[2] });
  const entry = JSON.parse(process.argv[3]);
  for (let row = 0; ; row += 1) {
    await Promise.all([store.accessLog.append(entry, row % 2 === 0), store.accessLog.witness()]);
    if (row % 20 === 0) console.log(row);
  }
`;

test("a program that was killed has lost no row that its archive names", async () => {
  const directory = await createClosedArchive("a");
  for (let round = 0; round < ROUNDS; round += 1) {
    const entry = JSON.stringify(toEntry({ requestId: `round ${round}` }));
    const child = spawn(
      process.execPath,
      ["--input-type=module", "--eval", SCRIPT, STORE, directory, entry],
      { stdio: ["ignore", "pipe", "inherit"] },
    );
    const ended = once(child, "exit");
    for (let line = 0; line <= round; line += 1) await once(child.stdout, "data");
    child.kill("SIGKILL");
    await ended;

    await using store = await openStore({ directory });
    const { rows, fault } = await store.accessLog.verify();
    expect(fault).toBeUndefined();
    expect(rows).toBeGreaterThan(round * 20);
  }
});
