// Exporting as an operator does it, in the other format: a folder that is imported again.
import { mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { openStore } from "@call-media/store/sqlite";
import { afterAll, beforeAll, expect, test } from "vitest";
import { makeDemo } from "../src/commands/demo-archive.ts";
import { run } from "./support/command.ts";

let folder: string;
let demo: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "call-media-export-"));
  demo = join(folder, "demo");
  await makeDemo(demo, "2026-11-01");
});
afterAll(() => rm(folder, { recursive: true }));

/** What tells two archives apart: the digests of calls with their recordings, chats, users and flags, in their order. */
function readArchive(directory: string): unknown[] {
  using database = new DatabaseSync(join(directory, "archive.db"), { readOnly: true });
  return [
    "SELECT digest FROM call ORDER BY id",
    "SELECT record FROM chat ORDER BY call_id, instant_ms, id",
    "SELECT record FROM user ORDER BY id",
    "SELECT record, user_id FROM flag ORDER BY id",
    "SELECT sha256, bytes FROM media ORDER BY sha256",
    "SELECT part, filename, start_ms, sha256, type FROM recording ORDER BY call, part",
  ].map((sql) => database.prepare(sql).all());
}

/** Imports an export into a folder, by the command that its account gives. */
function importAsSaid(account: string, into: string): ReturnType<typeof run> {
  const [, command = ""] = /: call-media-server (.*)$/m.exec(account) ?? [];
  return run(...command.replace("DIR", into).split(" "));
}

test.each(["vcon"])(
  "the demo archive as %s, imported as the account says, is the demo archive",
  async (format) => {
    const [out, again] = [join(folder, format), join(folder, `${format}-again`)];
    const exported = await run("export", "--data", demo, "--format", format, "--out", out);
    expect(exported).toMatchObject({ code: 0, stderr: "" });
    const imported = await importAsSaid(exported.stdout, again);
    expect(imported).toMatchObject({ code: 0, stdout: expect.stringContaining("rejected 0") });
    expect(readArchive(again)).toEqual(readArchive(demo));
    expect((await readdir(folder)).filter((name) => name.startsWith("."))).toEqual([]);
  },
);

test.each(["vcon"])(
  "an archive of nothing as %s, imported as the account says, is one again",
  async (format) => {
    const within = await mkdtemp(join(folder, "nothing-"));
    const [lines, from] = [join(within, "lines"), join(within, "from")];
    const [out, again] = [join(within, "out"), join(within, "again")];
    await writeFile(lines, "");
    const zone = ["--timezone", "Europe/London"];
    await run("import", "--data", from, ...zone, "--format", "jsonl", lines);
    const exported = await run("export", "--data", from, "--format", format, "--out", out);
    expect(await importAsSaid(exported.stdout, again)).toMatchObject({ code: 0, stderr: "" });
    expect(readArchive(again)).toEqual(readArchive(from));
    await using store = await openStore({ directory: again });
    expect(store.timeZone).toBe("Europe/London");
  },
);
