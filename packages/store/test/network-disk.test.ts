// An archive on a network file system is refused, and named by the doctor. What the system says of a folder is put in: no such
// file system can be counted on where this runs.
import fs, { existsSync, type PathLike } from "node:fs";
import { mkdir, rename } from "node:fs/promises";
import { syncBuiltinESMExports } from "node:module";
import { basename, join } from "node:path";
import { platform } from "node:process";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { createStore, openStore } from "../src/sqlite/sqlite-store.ts";
import { createFolder } from "./support/archives.ts";
import { createClosedArchive } from "./support/kept-archive.ts";
import { examine } from "./support/maintenance.ts";

const types = new Map<string, number>();

// Not by vi.mock: the modules that ask may have been loaded for another file of tests.
function replace(statfsSync: typeof fs.statfsSync): void {
  fs.statfsSync = statfsSync;
  syncBuiltinESMExports();
}

beforeAll(() => {
  const original = fs.statfsSync;
  const statfsSync = (path: PathLike) => {
    const found = original(path);
    return Object.assign(found, { type: types.get(basename(String(path))) ?? found.type });
  };
  replace(statfsSync as typeof original); // none asks for numbers as bigint
  return () => replace(original);
});

const NFS = 0x6969;
const CIFS = 0xff534d42;

beforeEach(() => types.clear());

describe.skipIf(platform !== "linux")("a network file system", () => {
  test("has no archive made on it, and is left as it was", async () => {
    const share = join(await createFolder(), "share");
    await mkdir(share);
    types.set("share", CIFS);
    const directory = join(share, "calls", "archive");
    await expect(createStore({ directory })).rejects.toThrow(
      `${directory} is on a network file system (SMB), where SQLite cannot keep an archive whole`,
    );
    expect(existsSync(join(share, "calls"))).toBe(false);
  });

  test("has no archive served from it, and the doctor says what to do", async () => {
    const share = join(await createFolder(), "share");
    await rename(await createClosedArchive(), share);
    await (await openStore({ directory: share }))[Symbol.asyncDispose]();
    types.set("share", NFS);
    await expect(openStore({ directory: share })).rejects.toThrow("(NFS)");
    expect(await examine(share)).toContainEqual({
      level: "error",
      what: "the folder is on a network file system (NFS)",
      where: share,
      todo: expect.stringContaining("move it to a disk of this machine"),
    });
  });
});
