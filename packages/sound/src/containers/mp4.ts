// MP4 and M4A (ISO/IEC 14496-12): boxes. The movie header declares the length of the sound; the sound itself is not walked.
import { textAt, toView } from "../bytes.ts";
import { pass, take, type Walk } from "../feed.ts";
import { toDurationMs } from "../format.ts";
import type { Walked } from "../walked.ts";

const HEAD_BYTES = 8;
const PARENTS: ReadonlySet<string> = new Set(["moov", "trak", "mdia", "minf", "stbl"]);
const MOST_DEPTH = 8;

const CODECS: Readonly<Record<string, string>> = {
  mp4a: "aac",
  Opus: "opus",
  samr: "amr",
  sawb: "amr-wb",
  alac: "alac",
  fLaC: "flac",
  "ac-3": "ac-3",
};

interface State {
  hasMovie: boolean;
  hasSound: boolean;
  durationMs: number | undefined;
  codec: string | undefined;
  channels: number | undefined;
  rate: number | undefined;
  bytes: number;
  missing: number;
  fault: string | undefined;
  trailing: number;
}

export const isMp4 = (head: Uint8Array): boolean =>
  head.length >= 8 &&
  ["ftyp", "moov", "mdat", "wide"].includes(textAt(head, 4)) &&
  toView(head).getUint32(0) >= 8;

export function* walkMp4(): Walk<Walked> {
  const state: State = {
    hasMovie: false,
    hasSound: false,
    durationMs: undefined,
    codec: undefined,
    channels: undefined,
    rate: undefined,
    bytes: 0,
    missing: 0,
    fault: undefined,
    trailing: 0,
  };
  yield* walkBoxes(Infinity, state, 0);
  const { hasMovie, hasSound, missing, bytes, fault } = state;
  const isCut = missing > 0;
  return {
    container: "mp4",
    codec: state.codec,
    rate: state.rate,
    channels: state.channels,
    durationMs: state.durationMs,
    isDeclared: true,
    isEmpty: !hasSound,
    isCut,
    share: isCut ? bytes / (bytes + missing) : undefined,
    fault: fault ?? (hasMovie || isCut ? undefined : "the box that lists its sound is missing"),
    trailing: state.trailing,
  };
}

/** Returns the number of bytes passed, out of `room`. */
function* walkBoxes(room: number, state: State, depth: number): Walk<number> {
  let used = 0;
  while (room - used >= HEAD_BYTES) {
    const head = yield* take(HEAD_BYTES);
    used += head.length;
    if (head.length < HEAD_BYTES) {
      state.trailing = head.length;
      return used;
    }
    const [name, length] = [textAt(head, 4), toView(head).getUint32(0)];
    const isWide = length === 1;
    const wide = isWide ? yield* take(8) : undefined;
    const headBytes = HEAD_BYTES + (wide?.length ?? 0);
    const total = wide?.length === 8 ? Number(toView(wide).getBigUint64(0)) : length;
    used += wide?.length ?? 0;
    // 0: to the end of the file.
    const content = Math.min(total === 0 ? Infinity : total - headBytes, room - used);
    if (content < 0 || !/^[\x20-\x7e\xa9]{4}$/.test(name)) {
      if (depth === 0 && state.bytes > 0) state.trailing = headBytes + (yield* pass(Infinity));
      else state.fault ??= "its boxes are broken";
      return used;
    }
    const passed = yield* walkBox({ name, content }, state, depth);
    used += passed;
    if (depth > 0) continue;
    state.bytes += headBytes + passed;
    if (content !== Infinity) state.missing += content - passed;
  }
  return used;
}

interface Box {
  readonly name: string;
  readonly content: number;
}

function* walkBox({ name, content }: Box, state: State, depth: number): Walk<number> {
  if (name === "moov") state.hasMovie = true;
  if (name === "mdat" && content > 0) state.hasSound = true;
  let used = 0;
  if (PARENTS.has(name) && depth < MOST_DEPTH) used = yield* walkBoxes(content, state, depth + 1);
  if (name === "mvhd") used = yield* readMovieHeader(content, state);
  if (name === "stsd") used = yield* readSampleEntry(content, state);
  return used + (yield* pass(content - used));
}

function* readMovieHeader(content: number, state: State): Walk<number> {
  const bytes = yield* take(Math.min(content, 32));
  const isLong = bytes[0] === 1;
  if (bytes.length < (isLong ? 32 : 20)) return bytes.length;
  const view = toView(bytes);
  const scale = view.getUint32(isLong ? 20 : 12);
  const length = isLong ? Number(view.getBigUint64(24)) : view.getUint32(16);
  // 0 in fragmented files, all ones if unknown.
  if (length > 0 && length < 0xff_ff_ff_ff) state.durationMs = toDurationMs(length, scale);
  return bytes.length;
}

/** The first audio entry: a count, then a box with channels and rate. */
function* readSampleEntry(content: number, state: State): Walk<number> {
  const bytes = yield* take(Math.min(content, 44));
  const codec = CODECS[textAt(bytes, 12)];
  if (bytes.length < 44 || codec === undefined || state.codec !== undefined) return bytes.length;
  const view = toView(bytes);
  state.codec = codec;
  state.channels = view.getUint16(32);
  state.rate = view.getUint16(40);
  return bytes.length;
}
