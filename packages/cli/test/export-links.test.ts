// Symbolic links in an export's folder: nothing is written through one.
import { mkdtemp, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { tmpdir } from "node:os";
import { expect, onTestFinished, test } from "vitest";
import { MARCH, readTree, startExporting, toBytes } from "./support/exporting.ts";

const CALLS = [
  {
    call_id: "1",
    datetime: "2026-03-05T22:14:00",
    recordings: [{ filename: "a.wav", bytes: toBytes(600) }],
  },
];

async function createOutside(): Promise<string> {
  const outside = await mkdtemp(join(tmpdir(), "outside-"));
  onTestFinished(() => rm(outside, { recursive: true }));
  return outside;
}

test.each([
  ".call-media",
  ".call-media/days",
  ".call-media/parts",
  "recordings",
  "recordings/2026-03-05",
])("an export rejects a link that replaces the folder %s", async (name) => {
  const { out, exportCalls } = await startExporting({ calls: CALLS });
  expect(await exportCalls(...MARCH)).toMatchObject({ code: 0 });
  const outside = await createOutside();
  await rm(join(out, name), { recursive: true });
  await symlink(outside, join(out, name));
  const refused = await exportCalls("--resume");
  expect(refused.code).not.toBe(0);
  expect(refused.stderr).toContain(`${join(out, name)} is a symbolic link, which no export makes`);
  expect(await readdir(outside)).toEqual([]);
});

test("an export replaces links that stand for its files or their temporary names", async () => {
  const { out, exportCalls } = await startExporting({ calls: CALLS });
  expect(await exportCalls(...MARCH)).toMatchObject({ code: 0 });
  const whole = await readTree(out);
  const victim = join(await createOutside(), "victim");
  await writeFile(victim, "as it was");
  const names = Object.keys(whole);
  for (const name of names) await rm(join(out, name));
  for (const name of names.flatMap((one) => (one.includes("/") ? one : [one, `${one}.part`])))
    await symlink(victim, join(out, name));
  expect(await exportCalls("--resume")).toMatchObject({ code: 0 });
  expect(await readFile(victim, "utf8")).toBe("as it was");
  expect(await readTree(out)).toEqual(whole);
});
