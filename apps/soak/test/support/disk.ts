// A small disk of its own, an ext4 file system in a file, that a test can fill and break as disks fill and break. Linux lets
// root alone mount one.
import { execFileSync, spawnSync } from "node:child_process";
import {
  closeSync,
  mkdirSync,
  openSync,
  rmSync,
  statfsSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { basename, join } from "node:path";
import { onTestFinished } from "vitest";
import { makeFolder } from "./archive.ts";

export interface Disk {
  /** The folder where it is mounted. */
  readonly folder: string;
  /** Fills the disk except for this number of bytes. */
  readonly fill: (leftBytes: number) => void;
  /** Frees the bytes that `fill` took. */
  readonly makeRoom: () => void;
  /** Makes all writes fail, also those to open files, as ext4 does after an error of the device. */
  readonly failWrites: () => void;
  /** Checks and remounts the disk, as after a restart of the machine. No file may be open. */
  readonly repair: () => void;
}

const MEBIBYTE = 1_048_576;

/** Why no disk can be made here; undefined when one can. */
export function findMountFault(): string | undefined {
  if (process.getuid?.() !== 0) return "only root can mount a disk";
  try {
    execFileSync("mkfs.ext4", ["-V"], { stdio: "ignore" });
    execFileSync("losetup", ["--find"], { stdio: "ignore" });
    return undefined;
  } catch (error) {
    return `no disk can be mounted here: ${error instanceof Error ? error.message : String(error)}`;
  }
}

export async function mountDisk(mebibytes: number): Promise<Disk> {
  const parent = await makeFolder();
  const [image, folder] = [join(parent, "image"), join(parent, "disk")];
  mkdirSync(folder);
  writeFileSync(image, "");
  truncateSync(image, mebibytes * MEBIBYTE);
  // -m 0: root, who runs the test, may otherwise write to a disk that is full for everybody else. -b 4096: as on disks of
  // ordinary size. With the smaller blocks of a small one SQLite has room made for a part of a page of its shared memory
  // alone, and the kernel ends whoever writes the rest (SIGBUS).
  execFileSync("mkfs.ext4", ["-q", "-F", "-m", "0", "-b", "4096", image]);
  const mount = () => execFileSync("mount", ["-o", "loop,errors=remount-ro", image, folder]);
  const unmount = () => void execFileSync("umount", [folder]);
  mount();
  // Unless a repair failed, when it is not mounted.
  onTestFinished(() => void spawnSync("umount", [folder]));
  const filler = join(folder, "filler");
  return {
    folder,
    fill: (leftBytes) => fill(folder, filler, leftBytes),
    makeRoom: () => rmSync(filler),
    failWrites: () => failWrites(folder),
    repair: () => {
      unmount();
      // 1: it found something to repair, and repaired it.
      const { status } = spawnSync("fsck.ext4", ["-p", "-f", image]);
      if (status !== 0 && status !== 1) throw new Error(`fsck.ext4 ended with ${status}`);
      mount();
    },
  };
}

function fill(folder: string, filler: string, leftBytes: number): void {
  const file = openSync(filler, "w");
  const piece = Buffer.alloc(4_096, 1);
  try {
    for (;;) {
      const { bavail, bsize } = statfsSync(folder);
      if (leftBytes > 0 && bavail * bsize <= leftBytes) return;
      writeSync(file, piece);
    }
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "ENOSPC")) throw error;
  } finally {
    closeSync(file);
  }
}

function failWrites(folder: string): void {
  const device = execFileSync("findmnt", ["-n", "-o", "SOURCE", folder]).toString().trim();
  writeFileSync(`/sys/fs/ext4/${basename(device)}/trigger_fs_error`, "1");
}
