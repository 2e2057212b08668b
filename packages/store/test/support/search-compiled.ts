// A program that keeps what is compiled of it in the first folder that it is given, and searches an archive in the second: prints
// what is kept when the threads have ended, while it has kept nothing itself.
import { readdirSync } from "node:fs";
import { enableCompileCache, getCompileCacheDir } from "node:module";

const [, , folder, directory = ""] = process.argv;
enableCompileCache(folder);
const { createStore } = await import("../../src/sqlite/sqlite-store.ts");
const { query } = await import("../../src/suite/records.ts");
{
  await using store = await createStore({ directory });
  await store.calls.search(query({ visibility: [{ field: "agent", allowed: ["ann"] }] }));
}
console.log(readdirSync(getCompileCacheDir() ?? "").length);
