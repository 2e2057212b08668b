// What a thread keeps of what Node.js compiles of it.
import { readdir } from "node:fs/promises";
import { enableCompileCache } from "node:module";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createStore } from "../src/sqlite/sqlite-store.ts";
import { createFolder } from "./support/archives.ts";
import { query } from "./support/records.ts";

test("threads keep what is compiled of them where the process does", async () => {
  const folder = await createFolder();
  enableCompileCache(folder);
  const store = await createStore({ directory: await createFolder() });
  await store.calls.search(query({ visibility: [{ field: "agent", allowed: ["ann"] }] }));
  await store[Symbol.asyncDispose](); // the threads have ended; this process has kept nothing yet

  const [version, ...others] = await readdir(folder);
  expect(others).toEqual([]);
  expect(await readdir(join(folder, version ?? "."))).not.toEqual([]);
});
