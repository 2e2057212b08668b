// How many records there are in metadata, which is read piece by piece.
import { createCallCount } from "@call-media/handover";

const LINE_FEED = 0x0a;
const QUOTE = 0x22;

export interface RowCount {
  readonly add: (piece: Uint8Array) => void;
  /** Undefined where the file is not in its format. */
  readonly read: () => number | undefined;
}

/** JSON has a line for each record. CSV has a header, and line feeds within quotes as well (RFC 4180). */
export function createRowCount(file: string): RowCount {
  if (file.endsWith(".xlsx")) return createCallCount();
  const isCsv = file.endsWith(".csv");
  let [lines, isQuoted] = [0, false];
  return {
    add(piece) {
      for (const byte of piece)
        if (isCsv && byte === QUOTE) isQuoted = !isQuoted;
        else if (byte === LINE_FEED && !isQuoted) lines++;
    },
    read: () => (isCsv ? lines - 1 : lines),
  };
}
