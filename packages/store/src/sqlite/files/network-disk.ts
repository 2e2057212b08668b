// Detects directories on another machine's disk. SQLite's locks and the shared memory of its log work only within one machine
// (https://sqlite.org/wal.html), so two machines would damage the database.
import { existsSync, statfsSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { platform } from "node:process";
import { ArchiveError } from "../../port/faults.ts";
import { isBackup } from "./database.ts";

// statfs(2) of Linux. Other systems assign these numbers at load time.
const NETWORK_FILE_SYSTEMS: ReadonlyMap<number, string> = new Map([
  [0x6969, "NFS"],
  [0x517b, "SMB"],
  [0xff534d42, "SMB"],
  [0xfe534d42, "SMB"],
  [0x00c36400, "CephFS"],
  [0x0bd00bd0, "Lustre"],
  [0x47504653, "GPFS"],
  [0x5346414f, "AFS"],
  [0x01021997, "9P"],
]);

/** The network file system that the directory is on, or will be; undefined for a local disk, and if it is unknown. */
export function findNetworkDisk(directory: string): string | undefined {
  if (platform !== "linux") return undefined;
  if (!existsSync(directory) && dirname(directory) !== directory)
    return findNetworkDisk(dirname(resolve(directory)));
  try {
    return NETWORK_FILE_SYSTEMS.get(statfsSync(directory).type >>> 0);
  } catch {
    return undefined; // opening the directory reports what is wrong with it
  }
}

export const USE_OWN_DISK =
  "move it to a disk of this machine (its folder media may stay there, by a link), or keep the records in PostgreSQL";

/** Throws `ArchiveError`, except for a backup, which is never written to. */
export function checkOwnDisk(directory: string): void {
  const found = isBackup(directory) ? undefined : findNetworkDisk(directory);
  if (found === undefined) return;
  throw new ArchiveError(
    `${directory} is on a network file system (${found}), where SQLite cannot keep an archive whole: ${USE_OWN_DISK}`,
  );
}
