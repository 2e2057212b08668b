// Copies a snapshot of a database file while others read and write it.
import { backup, type DatabaseSync } from "node:sqlite";
import { toFileName } from "./connection.ts";

/** Called with the bytes copied so far, and their total. */
export type OnCopied = (bytesDone: number, bytesTotal: number) => void;

// 8 MiB: between two steps, signals are handled and progress is drawn.
const PAGES_A_STEP = 1_000;

/** Copies the open database `source` into the file `to`. */
export async function copyPages(
  source: DatabaseSync,
  to: string,
  onCopied: OnCopied = () => {},
): Promise<void> {
  const pageBytes = Number(source.prepare("PRAGMA page_size").get()?.["page_size"]);
  // The read transaction lasts for the complete copy: without it, every write of another connection would restart it.
  source.exec("BEGIN; SELECT count(*) FROM sqlite_schema");
  await backup(source, toFileName(to), {
    rate: PAGES_A_STEP,
    progress: ({ totalPages, remainingPages }) =>
      onCopied((totalPages - remainingPages) * pageBytes, totalPages * pageBytes),
  });
}
