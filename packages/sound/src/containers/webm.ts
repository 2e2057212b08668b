// WebM and Matroska (RFC 9559): EBML elements. The sound itself is not walked.
import { textAt, toView } from "../bytes.ts";
import { pass, take, type Walk } from "../feed.ts";
import type { Walked } from "../walked.ts";

const SEGMENT = 0x18_53_80_67;
const INFO = 0x15_49_a9_66;
const SCALE = 0x2a_d7_b1;
const DURATION = 0x44_89;
const TRACKS = 0x16_54_ae_6b;
const ENTRY = 0xae;
const CODEC = 0x86;
const AUDIO = 0xe1;
const RATE = 0xb5;
const CHANNELS = 0x9f;
const CLUSTER = 0x1f_43_b6_75;

const PARENTS: ReadonlySet<number> = new Set([SEGMENT, INFO, TRACKS, ENTRY, AUDIO]);
const VALUES: ReadonlySet<number> = new Set([SCALE, DURATION, CODEC, RATE, CHANNELS]);
const MOST_VALUE_BYTES = 64;
const MOST_DEPTH = 8;

interface State {
  readonly values: Map<number, Uint8Array>;
  hasSound: boolean;
  bytes: number;
  missing: number;
  fault: string | undefined;
}

export const isWebm = (head: Uint8Array): boolean =>
  head.length >= 4 && toView(head).getUint32(0) === 0x1a_45_df_a3;

export function* walkWebm(): Walk<Walked> {
  const state: State = {
    values: new Map(),
    hasSound: false,
    bytes: 0,
    missing: 0,
    fault: undefined,
  };
  yield* walkElements(Infinity, state, 0);
  const { values, hasSound, missing, bytes, fault } = state;
  const isCut = missing > 0;
  const scale = toInteger(values.get(SCALE)) ?? 1_000_000;
  const duration = toFloat(values.get(DURATION));
  const codec = values.get(CODEC);
  return {
    container: "webm",
    codec: codec && toCodec(textAt(codec, 0, codec.length)),
    rate: toFloat(values.get(RATE)),
    channels: toInteger(values.get(CHANNELS)),
    durationMs: duration === undefined ? undefined : toMs(duration * scale),
    isDeclared: true,
    isEmpty: !hasSound && !isCut,
    isCut,
    share: isCut ? bytes / (bytes + missing) : undefined,
    fault,
  };
}

/** Converts nanoseconds, which may exceed the range of a number. */
const toMs = (ns: number): number | undefined =>
  Number.isFinite(ns) ? Math.round(ns / 1_000_000) : undefined;

const toCodec = (id: string): string =>
  id.replace(/\0.*$/s, "").replace(/^A_/, "").toLowerCase().split("/")[0] ?? "";

function* walkElements(room: number, state: State, depth: number): Walk<number> {
  let used = 0;
  while (used < room) {
    const id = yield* takeNumber(4, false);
    if (id === undefined) return used;
    const length = yield* takeNumber(8, true);
    if (length === undefined || id.value === 0) {
      state.fault ??= "its elements are broken";
      return used + id.bytes;
    }
    used += id.bytes + length.bytes;
    const isOpen = length.value === Infinity;
    const content = Math.min(length.value, Math.max(0, room - used));
    const passed = yield* walkElement(id.value, content, { state, depth });
    used += passed;
    if (depth > 0) continue;
    state.bytes += passed;
    if (!isOpen) state.missing += content - passed;
  }
  return used;
}

interface At {
  readonly state: State;
  readonly depth: number;
}

function* walkElement(id: number, content: number, { state, depth }: At): Walk<number> {
  if (id === CLUSTER) state.hasSound = true;
  if (PARENTS.has(id) && depth < MOST_DEPTH) {
    const used = yield* walkElements(content, state, depth + 1);
    return used + (yield* pass(content - used));
  }
  if (!VALUES.has(id) || content > MOST_VALUE_BYTES) return yield* pass(content);
  const bytes = (yield* take(content)).slice();
  if (!state.values.has(id)) state.values.set(id, bytes);
  return bytes.length;
}

/** A number whose first byte shows, by its leading zeros, how many bytes follow. Lengths lose the marker bit; all ones means unknown. */
function* takeNumber(
  most: number,
  isLength: boolean,
): Walk<{ value: number; bytes: number } | undefined> {
  const [first] = yield* take(1);
  if (first === undefined) return undefined;
  const more = Math.clz32(first) - 24;
  if (more >= most) return { value: 0, bytes: 1 };
  const rest = yield* take(more);
  if (rest.length < more) return undefined;
  const mark = isLength ? first & (0x7f >> more) : first;
  const value = rest.reduce((sum, byte) => sum * 256 + byte, mark);
  const isOpen = isLength && value === 2 ** (7 * (more + 1)) - 1;
  return { value: isOpen ? Infinity : value, bytes: 1 + more };
}

const toInteger = (bytes: Uint8Array | undefined): number | undefined =>
  bytes === undefined || bytes.length > 6
    ? undefined
    : bytes.reduce((sum, byte) => sum * 256 + byte, 0);

function toFloat(bytes: Uint8Array | undefined): number | undefined {
  if (bytes === undefined || (bytes.length !== 4 && bytes.length !== 8)) return undefined;
  const view = toView(bytes);
  const value = bytes.length === 4 ? view.getFloat32(0) : view.getFloat64(0);
  return Number.isFinite(value) && value >= 0 ? value : undefined;
}
