// Ogg (RFC 3533), page by page: Opus, Vorbis, Speex, FLAC. Consecutive streams add up; of parallel streams the
// first one counts.
import { textAt, toView } from "../bytes.ts";
import { pass, peek, take, type Walk } from "../feed.ts";
import { toDurationMs } from "../format.ts";
import type { Walked } from "../walked.ts";

const HEAD_BYTES = 27;
const IDENTIFICATION_BYTES = 64;
const IS_FIRST = 2;
const IS_LAST = 4;
// After this many bytes outside of pages, the rest of the file is not Ogg.
const MOST_JUNK = 64 * 1024;
// Opus packets of silence, or those sent while nobody speaks, have at most this size. Other codecs need no more either.
const STILL_PACKET = 3;
// Identification and comments are not sound; Vorbis has its tables too.
const OPUS_RATE = 48_000;

interface Stream {
  readonly serial: number;
  readonly codec: string;
  readonly rate: number;
  readonly channels: number;
  /** The number of packets before the sound. */
  readonly heads: number;
  /** Samples that are not played. */
  readonly skipped: number;
}

interface State {
  stream: Stream | undefined;
  isEnded: boolean;
  /** The length of the streams before this one. */
  doneMs: number;
  samples: number;
  packets: number;
  packetBytes: number;
  largest: number;
  sequence: number;
  missing: number;
  isCut: boolean;
}

export function* walkOgg(): Walk<Walked> {
  const state: State = {
    stream: undefined,
    isEnded: false,
    doneMs: 0,
    samples: 0,
    packets: 0,
    packetBytes: 0,
    largest: 0,
    sequence: 0,
    missing: 0,
    isCut: false,
  };
  let trailing = 0;
  while (!state.isCut) {
    const head = yield* peek(HEAD_BYTES);
    if (textAt(head, 0) === "OggS") {
      trailing = 0;
      yield* walkPage(state);
      continue;
    }
    if (head.length < 4) {
      trailing += yield* pass(4);
      break;
    }
    trailing += yield* pass(1);
    if (trailing > MOST_JUNK) {
      trailing += yield* pass(Infinity);
      break;
    }
  }
  return toOutcome(state, trailing);
}

function* walkPage(state: State): Walk<void> {
  const head = (yield* take(HEAD_BYTES)).slice();
  const segments = yield* take(head[26] ?? 0);
  if (head.length < HEAD_BYTES || segments.length < (head[26] ?? 0)) {
    state.isCut = true;
    return;
  }
  const lengths = segments.slice();
  const bytes = lengths.reduce((sum, length) => sum + length, 0);
  const flags = head[5] ?? 0;
  const view = toView(head);
  const serial = view.getUint32(14, true);
  if ((flags & IS_FIRST) !== 0 && (state.stream === undefined || state.isEnded))
    beginStream(state, serial, yield* peek(Math.min(bytes, IDENTIFICATION_BYTES)));
  state.isCut = (yield* pass(bytes)) < bytes;
  if (state.isCut || serial !== state.stream?.serial) return;
  countPackets(state, lengths);
  countPage(state, view, flags);
}

function beginStream(state: State, serial: number, identification: Uint8Array): void {
  state.doneMs += toStreamMs(state);
  state.stream = { serial, ...toStream(identification) };
  Object.assign(state, { isEnded: false, samples: 0, packets: 0, packetBytes: 0, sequence: 0 });
}

function toStream(bytes: Uint8Array): Omit<Stream, "serial"> {
  const view = toView(bytes);
  const name = textAt(bytes, 0, 8);
  if (name === "OpusHead" && bytes.length >= 12) {
    const [channels, skipped] = [view.getUint8(9), view.getUint16(10, true)];
    return { codec: "opus", rate: OPUS_RATE, channels, heads: 2, skipped };
  }
  if (name.startsWith("\u0001vorbis") && bytes.length >= 16) {
    const [channels, rate] = [view.getUint8(11), view.getUint32(12, true)];
    return { codec: "vorbis", rate, channels, heads: 3, skipped: 0 };
  }
  if (name === "Speex   " && bytes.length >= 52) {
    const [rate, channels] = [view.getUint32(36, true), view.getUint32(48, true)];
    return { codec: "speex", rate, channels, heads: 2, skipped: 0 };
  }
  return { codec: "unknown", rate: 0, channels: 0, heads: 2, skipped: 0 };
}

/** A segment of less than 255 bytes ends a packet. */
function countPackets(state: State, lengths: Uint8Array): void {
  for (const length of lengths) {
    state.packetBytes += length;
    if (length === 255) continue;
    state.packets++;
    if (state.packets > (state.stream?.heads ?? 0))
      state.largest = Math.max(state.largest, state.packetBytes);
    state.packetBytes = 0;
  }
}

function countPage(state: State, view: DataView, flags: number): void {
  const sequence = view.getUint32(18, true);
  if (sequence > state.sequence) state.missing += sequence - state.sequence;
  state.sequence = sequence + 1;
  const granule = Number(view.getBigInt64(6, true));
  // - 1: no packet ends on this page.
  if (granule >= 0) state.samples = granule;
  state.isEnded = (flags & IS_LAST) !== 0;
}

const toStreamMs = ({ stream, samples }: State): number =>
  toDurationMs(Math.max(0, samples - (stream?.skipped ?? 0)), stream?.rate ?? 0) ?? 0;

function toOutcome(state: State, trailing: number): Walked {
  const { stream, missing, largest } = state;
  if (stream === undefined) return { container: "ogg", fault: "its header is cut off" };
  const { codec, rate, channels, heads } = stream;
  const isEmpty = largest === 0 && state.packets <= heads && state.doneMs === 0;
  const fault = missing > 0 ? `${missing} of its pages are missing` : undefined;
  return {
    container: "ogg",
    codec,
    ...(rate > 0 && { rate, channels, durationMs: state.doneMs + toStreamMs(state) }),
    isEmpty,
    isCut: state.isCut || !state.isEnded,
    fault,
    trailing,
    loudness: { isSilent: !isEmpty && largest <= STILL_PACKET, isQuiet: false },
  };
}
