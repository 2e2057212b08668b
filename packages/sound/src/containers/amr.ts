// AMR and AMR-WB (RFC 4867, section 5): frames of 20 ms, whose first byte determines their length.
import { textAt } from "../bytes.ts";
import { pass, peek, take, type Walk } from "../feed.ts";
import type { Walked } from "../walked.ts";

const FRAME_MS = 20;
const NARROW = [12, 13, 15, 17, 19, 20, 26, 31, 5];
const WIDE = [17, 23, 32, 36, 40, 46, 50, 58, 60, 5];
const NO_DATA: ReadonlySet<number> = new Set([14, 15]);

export const isAmr = (head: Uint8Array): boolean => /^#!AMR(?:-WB)?\n/.test(textAt(head, 0, 9));

export function* walkAmr(): Walk<Walked> {
  const isWide = textAt(yield* peek(9), 0, 9) === "#!AMR-WB\n";
  const [lengths, codec] = isWide ? [WIDE, "amr-wb"] : [NARROW, "amr"];
  yield* pass(isWide ? 9 : 6);
  let frames = 0;
  let [isCut, isBroken] = [false, false];
  while (!isCut) {
    const [byte] = yield* take(1);
    if (byte === undefined) break;
    const type = (byte >> 3) & 15;
    const length = NO_DATA.has(type) ? 0 : lengths[type];
    isBroken = length === undefined;
    if (length === undefined) break;
    isCut = (yield* pass(length)) < length;
    if (!isCut) frames++;
  }
  const rest = yield* pass(Infinity);
  return {
    container: "amr",
    codec,
    rate: isWide ? 16_000 : 8_000,
    channels: 1,
    durationMs: frames * FRAME_MS,
    isEmpty: frames === 0 && !isBroken,
    isCut,
    fault: isBroken ? `its frame ${frames + 1} has an unknown kind` : undefined,
    trailing: isBroken ? 0 : rest,
  };
}
