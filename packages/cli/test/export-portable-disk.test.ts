// Exports onto a portable disk, as evidence is handed on: exFAT has neither links nor permissions nor names that differ in case.
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { type FakeCall, MARCH, readTree, startExporting, toBytes } from "./support/exporting.ts";

const CALLS: readonly FakeCall[] = ["abc", "ABC", "a:b?", "a/b."].map((call_id, index) => ({
  call_id,
  datetime: "2026-03-02T06:14:00Z",
  recordings: [{ filename: "a.wav", bytes: toBytes(900 + index) }],
}));

const run = (command: string, ...args: string[]) => spawnSync(command, args, { encoding: "utf8" });

/** The first of these that mounts one: the kernel, or a program for kernels that cannot. */
const MOUNTS = [["mount", "-t", "exfat"], ["mount.exfat-fuse"]] as const;

/** An exFAT file system in a file, mounted until the end of the test; undefined where there can be none. */
function mountDisk(): string | undefined {
  const parent = mkdtempSync(join(tmpdir(), "call-media-portable-"));
  onTestFinished(() => rmSync(parent, { recursive: true }));
  const [image, folder] = [join(parent, "image"), join(parent, "disk")];
  mkdirSync(folder);
  writeFileSync(image, "");
  truncateSync(image, 32 * 1_048_576);
  if (run("mkfs.exfat", image).status !== 0) return undefined;
  const { status, stdout } = run("losetup", "--find", "--show", image);
  const device = stdout?.trim();
  if (status !== 0 || device === undefined) return undefined;
  onTestFinished(() => void run("losetup", "--detach", device));
  const isMounted = MOUNTS.some(([command, ...args]) => {
    return run(command, ...args, device, folder).status === 0;
  });
  if (!isMounted) return undefined;
  onTestFinished(() => void run("umount", folder));
  return folder;
}

test("an export onto exFAT is the same as onto any other disk, and says who may read it", async (context) => {
  const disk = mountDisk();
  if (disk === undefined) {
    console.warn(
      "SKIPPED portable disks: only root with exfatprogs (and exfat-fuse) can mount one",
    );
    context.skip();
    return;
  }
  const { out, exportCalls, runCommand } = await startExporting({ calls: CALLS });
  expect(await exportCalls(...MARCH)).toMatchObject({ code: 0, stderr: "" });
  const portable = join(disk, "set");
  const { code, stderr } = await runCommand("export", ...MARCH, "--out", portable);
  expect({ code, stderr }).toEqual({
    code: 0,
    stderr: `others may read ${portable}: its disk keeps no permissions\n`,
  });
  expect(await readTree(portable)).toEqual(await readTree(out));
  expect(await runCommand("verify", portable)).toMatchObject({ code: 0 });
  expect(await runCommand("sync", portable)).toMatchObject({ code: 0 });
});
