// A disk that is full: a sentence, an export that goes on when there is room, and no half of a file.
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { MARCH, readManifest, startExporting, toBytes } from "./support/exporting.ts";
import { run, toSettings } from "./support/program.ts";

const CALLS = Array.from({ length: 20 }, (_, index) => ({
  call_id: String(1000 + index),
  datetime: `2026-03-${String(index + 1).padStart(2, "0")}T06:14:00Z`,
  recordings: [{ filename: "a.wav", bytes: toBytes(200_000, index + 1) }],
}));

const LONG = { filename: "a.wav", bytes: toBytes(3_000_000) };

/** A disk of memory that goes with the test; undefined where none can be mounted. */
function mountDisk(size: string): string | undefined {
  const folder = mkdtempSync(join(tmpdir(), "call-media-disk-"));
  const { status } = spawnSync("mount", ["-t", "tmpfs", "-o", `size=${size}`, "tmpfs", folder]);
  if (status === 0) return folder;
  rmSync(folder, { recursive: true });
  return undefined;
}

function unmount(disk: string): void {
  spawnSync("umount", [disk]);
  rmSync(disk, { recursive: true });
}

/** Linux lets root alone mount one. */
const tried = mountDisk("2m");
const hasDisks = tried !== undefined;
if (tried !== undefined) unmount(tried);
else console.warn("SKIPPED full disks: nobody but root may mount one, and only on Linux");

/** Mounts a disk of 2 MB for the current test. */
function openDisk(): string {
  const disk = mountDisk("2m");
  if (disk === undefined) throw new Error("a disk that could be mounted cannot be any more");
  onTestFinished(() => unmount(disk));
  return disk;
}

test.skipIf(!hasDisks)("half of a transcript is not left on a full disk", async () => {
  const disk = openDisk();
  const transcript = "Agent: Hello. ".repeat(200_000);
  const call = { call_id: "1", datetime: "2026-03-01T06:14:00Z", transcript };
  const { runCommand } = await startExporting({ calls: [call] });
  const out = join(disk, "call.txt");
  const { code, stderr } = await runCommand("transcript", "1", "--out", out);
  expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining("ENOSPC") });
  expect(existsSync(out)).toBe(false);
});

test.skipIf(!hasDisks)("neither a profile nor a recording is left on a full disk", async () => {
  const disk = openDisk();
  const { runCommand, service, variables } = await startExporting({
    calls: [{ call_id: "1", datetime: "2026-03-01T06:14:00Z", recordings: [LONG] }],
  });
  const [home, out] = [join(disk, "home"), join(disk, "call.wav")];
  const told = {
    code: 2,
    stderr: expect.stringContaining("the disk is full: make room (ENOSPC"),
  };
  expect(await runCommand("recording", "1", "--out", out)).toMatchObject(told);
  expect(existsSync(out)).toBe(false);
  mkdirSync(home);
  spawnSync("dd", ["if=/dev/zero", `of=${join(disk, "rest")}`, "bs=4k"]);
  const login = await run(
    ["login"],
    { ...toSettings(home), ...variables },
    { input: service.apiKey },
  );
  rmSync(join(disk, "rest"));
  expect(login).toMatchObject(told);
  expect(readdirSync(home, { recursive: true })).not.toContain("default.json");
});

test.skipIf(!hasDisks)("a full disk ends it with 1; with room it goes on", async () => {
  const disk = openDisk();
  const { runCommand } = await startExporting({ calls: CALLS });
  const out = join(disk, "out");
  const { code, stderr } = await runCommand(
    "export",
    ...MARCH,
    "--files",
    "recordings",
    "--out",
    out,
  );
  expect({ code, stderr }).toEqual({
    code: 1,
    stderr: expect.stringContaining(
      "the disk is full: make room; what was fetched is kept; continue with",
    ),
  });
  spawnSync("mount", ["-o", "remount,size=20m", disk]);
  expect(await runCommand("export", "--resume", "--out", out)).toMatchObject({ code: 0 });
  expect((await readManifest(out)).filter(({ status }) => status === "complete")).toHaveLength(21);
  expect(await runCommand("verify", out)).toMatchObject({ code: 0 });
});
