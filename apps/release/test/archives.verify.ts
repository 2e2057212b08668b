// Each archive of an earlier release opens in this version, is upgraded, and still knows what was held, owed and erased.
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { ARCHIVES, createProgram, LATEST, keepArchive, writeSource } from "../src/kept-archive.ts";
import { repository, run } from "../src/run.ts";

const archives = join(repository, ARCHIVES);
const versions = await readdir(archives);
const { version: now } = JSON.parse(
  await readFile(join(repository, "packages/server/package.json"), "utf8"),
) as { version: string };

async function unpack(version: string) {
  const work = await mkdtemp(join(tmpdir(), "call-media-kept-"));
  onTestFinished(() => rm(work, { recursive: true }));
  await run(["tar", "-xzf", join(archives, version, "folder.tgz")], { cwd: work });
  const server = createProgram(repository, work);
  const exported = await readFile(join(archives, version, "export.jsonl"), "utf8");
  return { work, server, data: ["--data", "archive"], exported };
}

async function exportFrom(server: ReturnType<typeof createProgram>, work: string) {
  await server("export", "--data", "archive", "--out", "export");
  return toLines(await readFile(join(work, "export/archive.jsonl"), "utf8"));
}

const toLines = (text: string) => text.trim().split("\n").toSorted();

test("this version has its archive", () => {
  expect(versions).toContain(now);
});

describe.each(versions)("the archive of %s", (version) => {
  test("is small, and is read before it is upgraded", async () => {
    const files = ["folder.tgz", "export.jsonl"].map((name) => join(archives, version, name));
    const sizes = await Promise.all(files.map(async (file) => (await readFile(file)).length));
    expect(sizes.reduce((sum, bytes) => sum + bytes, 0)).toBeLessThan(20_000);
    const { server, data } = await unpack(version);
    expect(await server("history", ...data, "--call-id", "replaced", "--json")).toContain("first");
    expect(await server("hold", "list", ...data)).toMatch(/named.*audit 2[^]*storm.*litigation 1/);
  });

  test("is upgraded, exports the same, and is well", async () => {
    const { work, server, data, exported } = await unpack(version);
    await server("setup", ...data);
    expect(await exportFrom(server, work)).toEqual(toLines(exported));
    expect(await server("doctor", ...data)).not.toMatch(/^error/m);
    expect(await server("audit", "verify", ...data)).toMatch(/row/);
    expect(await server("history", ...data, "--call-id", "replaced")).toContain('"first"');
    expect(await server("retention", "show", ...data)).toContain("payments");
    expect(await server("verify", ...data)).toMatch(/3 files/);
  });

  test("takes nothing again that was erased, and keeps what was held until the release", async () => {
    const { work, server, data, exported } = await unpack(version);
    await server("setup", ...data);
    const again = await server("import", ...data, await writeSource(work, LATEST));
    expect(again).toMatch(/imported 0 /);
    expect(again).toMatch(/erased before 3 /);
    const purge = (...args: readonly string[]) => server("purge", ...data, ...args, "--yes");
    const all = ["--before", "2030-01-01", "--dry-run"];
    expect(await server("purge", ...data, ...all)).toContain(
      "Held: 2 calls, kept, by named, storm.",
    );
    await server("hold", "release", ...data, "named", "--reason", "closed");
    expect(await purge("--owed")).toContain("Taken out: 1 record");
    const left = await exportFrom(server, work);
    expect(left).toEqual(toLines(exported).filter((line) => !line.includes('"owed"')));
  });
});

test("is made by the release itself", async () => {
  const root = await mkdtemp(join(tmpdir(), "call-media-root-"));
  onTestFinished(() => rm(root, { recursive: true }));
  await run(["ln", "-s", join(repository, "packages"), root], { cwd: root });
  const folder = await keepArchive(root);
  expect(folder).toBe(join(root, ARCHIVES, now));
  const [made, kept] = await Promise.all(
    [folder, join(archives, now)].map((one) => readFile(join(one, "export.jsonl"), "utf8")),
  );
  expect(toLines(made ?? "")).toEqual(toLines(kept ?? ""));
});
