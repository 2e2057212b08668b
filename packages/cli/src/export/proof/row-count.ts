// Counts the records of a metadata file.
import { createCallCount } from "@call-media/handover";

const LINE_FEED = 0x0a;
const QUOTE = 0x22;

export interface RowCount {
  readonly add: (block: Uint8Array) => void;
  /** Undefined if the file is not in its format. */
  readonly read: () => number | undefined;
}

/** JSON has a line for each record. CSV has a header, and line feeds within quotes (RFC 4180). */
export function createRowCount(file: string): RowCount {
  if (file.endsWith(".xlsx")) return createCallCount();
  const isCsv = file.endsWith(".csv");
  let [lines, isQuoted] = [0, false];
  return {
    add(block) {
      for (const byte of block)
        if (isCsv && byte === QUOTE) isQuoted = !isQuoted;
        else if (byte === LINE_FEED && !isQuoted) lines++;
    },
    read: () => (isCsv ? lines - 1 : lines),
  };
}
