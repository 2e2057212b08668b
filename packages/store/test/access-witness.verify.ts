// The access log after what may happen to its file: kill -9 while rows are added and witnessed, and damage anywhere in it.
import { spawn } from "node:child_process";
import { cp, open, stat } from "node:fs/promises";
import { once } from "node:events";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { ArchiveError, openStore } from "../src/sqlite/sqlite-store.ts";
import { toEntry } from "../src/suite/access-log.ts";
import { createFolder } from "./support/archives.ts";
import { createClosedArchive } from "./support/kept-archive.ts";

const ROUNDS = 6;
const ROWS = 400;
const DAMAGED_BYTES = 64;
const STEP_BYTES = 499;

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

test("wherever 64 bytes of access.db are damaged, verify finds every row, or says what is wrong", async () => {
  const directory = await createClosedArchive("a");
  {
    await using store = await openStore({ directory });
    const append = (row: number) =>
      store.accessLog.append(toEntry({ requestId: `request ${row}` }), true);
    await Promise.all(Array.from({ length: ROWS }, (_, row) => append(row)));
  }
  const { size } = await stat(join(directory, "access.db"));
  const faults = new Set<string>();
  for (let at = 0; at < size; at += STEP_BYTES) {
    const copy = join(await createFolder(), "copy");
    await cp(directory, copy, { recursive: true });
    await using file = await open(join(copy, "access.db"), "r+");
    await file.write(Buffer.alloc(DAMAGED_BYTES, at % 2 === 0 ? 0 : 0xff), 0, DAMAGED_BYTES, at);
    const { rows, fault } = await verify(copy);
    expect(fault === undefined ? rows : ROWS).toBe(ROWS);
    faults.add(String(fault).replaceAll(/\d+/g, "N"));
  }
  expect(faults).toContain("rows N to N are unreadable, as the file is damaged");
});

async function verify(directory: string): Promise<{ rows: number; fault: string | undefined }> {
  try {
    await using store = await openStore({ directory, toInspect: true });
    return await store.accessLog.verify();
  } catch (error) {
    if (!(error instanceof ArchiveError)) throw error;
    return { rows: 0, fault: String(error) };
  }
}
