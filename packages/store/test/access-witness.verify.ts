// The access log after damage anywhere in its file.
import { cp, open, stat } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { ArchiveError, openStore } from "../src/sqlite/sqlite-store.ts";
import { toEntry } from "../src/suite/access-log.ts";
import { createFolder } from "./support/archives.ts";
import { createClosedArchive } from "./support/kept-archive.ts";

const ROWS = 400;
const DAMAGED_BYTES = 64;
const STEP_BYTES = 499;

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
