// Counts the calls of a spreadsheet while its bytes are read.
import { Unzip, UnzipInflate } from "fflate";

export interface CallCount {
  readonly add: (bytes: Uint8Array) => void;
  /** The calls so far; undefined if the bytes are not those of a spreadsheet. */
  readonly read: () => number | undefined;
}

/** Text cannot contain this, because "<" is escaped there. */
const ROW = "<row ";

/**
 * Counts the calls of a file written by `createCallSheet`, passed in chunk by chunk.
 *
 * @example
 * ```ts
 * const count = createCallCount();
 * for await (const bytes of createReadStream("march.xlsx")) count.add(bytes);
 * console.log(count.read());
 * ```
 */
export function createCallCount(): CallCount {
  let [calls, isDamaged] = [0, false];
  const unzip = new Unzip((file) => {
    if (!/^xl\/worksheets\/sheet\d+\.xml$/.test(file.name)) return;
    // The header of each sheet is a row too.
    calls--;
    const decoder = new TextDecoder();
    let rest = "";
    file.ondata = (error, bytes) => {
      if (error) isDamaged = true;
      const parts = `${rest}${decoder.decode(bytes, { stream: true })}`.split(ROW);
      calls += parts.length - 1;
      rest = (parts.at(-1) ?? "").slice(1 - ROW.length);
    };
    file.start();
  });
  unzip.register(UnzipInflate);
  return {
    add(bytes) {
      if (isDamaged) return;
      try {
        unzip.push(bytes);
      } catch {
        isDamaged = true;
      }
    },
    read: () => (isDamaged || calls < 0 ? undefined : calls),
  };
}
