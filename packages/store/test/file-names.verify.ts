// An archive in a folder whose name SQLite would take for a URI.
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { createFolder } from "./support/archives.ts";

const DOORS = ["../src/sqlite/sqlite-store.ts", "./support/maintenance.ts"].map(
  (name) => new URL(name, import.meta.url).href,
);
const RECORDS = new URL("../src/suite/records.ts", import.meta.url).href;

// In a process of its own, whose working directory the name begins from.
const WORK = `
  const [{ createStore, openScratchCopy }, { backUp, examine, purge, rebuildIndex, restore }, { query }] =
    await Promise.all(process.argv.slice(1).map((door) => import(door)));
  const [directory, copy, again] = ["file:archive", "file:copy", "file:again"];
  {
    await using store = await createStore({ directory });
    await using session = await store.openImport();
    await session.write([]);
    await store.calls.search(query({ isCounted: true }));
    await store.accessLog.check();
  }
  await using scratch = await openScratchCopy({ directory });
  await backUp({ from: directory, to: copy });
  await backUp({ from: directory, to: copy });
  await restore({ from: copy, to: again });
  await rebuildIndex({ directory });
  await purge({ directory, filter: { isUndated: true }, operator: "ann" });
  const findings = await Promise.all([directory, copy, again].map((folder) => examine(folder)));
  console.log(JSON.stringify(findings.flat().filter(({ level }) => level === "error")));
`;

test("an archive may lie in a folder whose name begins with file:", async () => {
  const cwd = await createFolder();
  const args = ["--input-type=module", "--eval", WORK, ...DOORS, RECORDS];
  const { stdout } = await promisify(execFile)(process.execPath, args, { cwd });
  expect(JSON.parse(stdout)).toEqual([]);
});
