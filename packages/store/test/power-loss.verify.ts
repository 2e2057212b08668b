// What survives a loss of power: the order in which the disk is asked to keep what was written, as the kernel sees it. That
// takes strace, and so Linux: without it these tests are skipped.
import { execFile, spawnSync } from "node:child_process";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, test } from "vitest";
import { createFolder } from "./support/archives.ts";

const run = promisify(execFile);

const DOOR = new URL("../src/sqlite/sqlite-store.ts", import.meta.url).href;
const RECORDS = new URL("../src/suite/records.ts", import.meta.url).href;

// What the program has been promised is marked by a write to standard output. Another store keeps the archive open, as a
// running service does: the last one that closes would settle everything.
const PROGRAM = `
  const [door, records, directory] = process.argv.slice(1);
  const { createStore, openStore } = await import(door);
  const { call } = await import(records);
  const { writeSync } = await import("node:fs");
  const store = await createStore({ directory });
  const other = await openStore({ directory });
  const session = await store.openImport();
  writeSync(1, "begun");
  const media = await store.media.put({ name: "a.wav", content: Buffer.from("sound") });
  writeSync(1, "taken in");
  await session.write([[call({ call_id: "a" }, { recordings: [{ filename: "a.wav", media }] })]]);
  writeSync(1, "row written");
  await session[Symbol.asyncDispose]();
  writeSync(1, "imported");
  await store.accessLog.append({ recording: {} }, true);
  writeSync(1, "logged");
  process.exit();
`;

/** `between` gives the steps between two things that the program was told, as "kind path", in the order of the kernel. */
async function trace() {
  const directory = await createFolder();
  const output = join(await createFolder(), "trace");
  const node = [process.execPath, "--input-type=module", "--eval", PROGRAM];
  const options = [
    "-f",
    "-y",
    "-s",
    "64",
    "-o",
    output,
    "-e",
    "trace=fsync,fdatasync,rename,write",
  ];
  await run("strace", [...options, ...node, DOOR, RECORDS, directory]);
  const lines = (await readFile(output, "utf8")).split("\n");
  const steps = lines.flatMap((line) => toStep(line));
  const between = (first: string, last: string) =>
    steps.slice(steps.indexOf(`said ${first}`), steps.indexOf(`said ${last}`));
  return { directory, between };
}

function toStep(line: string): string[] {
  const [, path] = /(?:fsync|fdatasync)\(\d+<([^>]+)>/.exec(line) ?? [];
  if (path !== undefined) return [`sync ${path}`];
  const [, target] = /rename\("[^"]+", "([^"]+)"/.exec(line) ?? [];
  if (target !== undefined) return [`rename ${target}`];
  const [, said] = /write\(1<[^>]*>, "([a-z ]+)"/.exec(line) ?? [];
  return said === undefined ? [] : [`said ${said}`];
}

// There are machines that have it and do not let it trace.
const hasStrace = spawnSync("strace", ["-o", "/dev/null", "true"]).status === 0;

describe.runIf(hasStrace)("the disk has what a program was told of:", () => {
  test("a recording, and only then its name", async () => {
    const { between, directory } = await trace();
    const takenIn = between("begun", "taken in");
    const named = takenIn.findIndex((step) => /^rename .*\/media\/..\/[0-9a-f]{64}$/.test(step));
    expect(takenIn.slice(0, named)).toContainEqual(expect.stringMatching(/^sync .*\.part$/));
    const settled = takenIn.slice(named);
    expect(settled).toContainEqual(expect.stringMatching(/^sync .*\/media\/..$/));
    expect(settled).toContain(`sync ${join(directory, "media")}`);
  });

  test("every row of an import, at its end", async () => {
    const { between, directory } = await trace();
    expect(between("row written", "imported")).toContain(
      `sync ${join(directory, "archive.db-wal")}`,
    );
  });

  test("a row of the access log for which a recording waits", async () => {
    const { between, directory } = await trace();
    expect(between("imported", "logged")).toContain(`sync ${join(directory, "access.db-wal")}`);
  });
});
