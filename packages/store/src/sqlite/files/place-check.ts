// Whether files that are open still lie where they were opened. SQLite goes on with a file that was moved away: what a restored
// archive in its place says would then never be read, and its access log would lack what was read.
import { statSync } from "node:fs";
import { StoreFault } from "../../port/faults.ts";

/** Makes a function that throws when one of the files was moved away or replaced, and a service has to be started anew. */
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
