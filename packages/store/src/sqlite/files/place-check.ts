// Checks that open files are still where they were opened. SQLite keeps using a file that was moved away. A restored
// archive in its place would never be read, and its access log would lack all later reads.
import { statSync } from "node:fs";
import { StoreFault } from "../../port/faults.ts";

/**
 * Makes a function that throws if one of the files was moved away or replaced. The service must then be
 * restarted.
 */
export function createPlaceCheck(files: readonly string[]): () => void {
  const opened = files.map(toInode);
  return () => {
    const moved = files.find((file, index) => toInode(file) !== opened[index]);
    if (moved === undefined) return;
    throw new StoreFault(
      "lost",
      `${moved} is not the file that was opened: the archive was moved away or replaced; start the service again`,
    );
  };
}

function toInode(file: string): bigint | undefined {
  return statSync(file, { bigint: true, throwIfNoEntry: false })?.ino;
}
