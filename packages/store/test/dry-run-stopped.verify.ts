// A dry run whose program is ended by a signal: its copy of the records does not stay in the folder for temporary files.
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { Worker } from "node:worker_threads";
import { expect, onTestFinished, test, vi } from "vitest";
import { openScratchCopy } from "../src/sqlite/sqlite-store.ts";
import { createFolder } from "./support/archives.ts";

// Some of so many are removed just when a file of theirs goes away.
const COPIES = 20;

const TOUCH = `
  const { readdirSync, rmSync, writeFileSync } = require("node:fs");
  const folder = require("node:worker_threads").workerData;
  for (;;)
    for (const name of readdirSync(folder))
      try {
        writeFileSync(folder + "/" + name + "/x", "");
        rmSync(folder + "/" + name + "/x");
      } catch {}
`;

test("files that another thread makes and removes meanwhile do not keep it", async () => {
  const temporary = await createFolder();
  vi.stubEnv("TMPDIR", temporary);
  onTestFinished(() => void vi.unstubAllEnvs());
  const worker = new Worker(TOUCH, { eval: true, workerData: temporary });
  onTestFinished(async () => void (await worker.terminate()));

  for (let copies = 0; copies < COPIES; copies += 1) {
    const stop = new AbortController();
    const copy = await openScratchCopy({ directory: join(temporary, "none"), signal: stop.signal });
    const [name = "none"] = readdirSync(temporary);
    stop.abort();
    expect(existsSync(join(temporary, name))).toBe(false);
    await copy[Symbol.asyncDispose]();
  }
});
