// Reads MP3 frame by frame without decoding it, with an exact length. The encoder's tag shows whether all frames are there.
import { textAt, toView } from "../bytes.ts";
import { pass, peek, take, type Walk } from "../feed.ts";
import { toDurationMs } from "../format.ts";
import type { Walked } from "../walked.ts";
import { isStill, type Mp3Frame, readFrame } from "./mp3-frame.ts";
import { passTag } from "./tags.ts";

/** Receives all bytes in order. */
export interface Mp3Visitor {
  /** The bytes of a frame; valid until the next call. */
  readonly onFrame: (bytes: Uint8Array, frame: Mp3Frame) => void;
  /** The frame with the encoder's tag, which has no sound. */
  readonly onTag: (bytes: Uint8Array, frame: Mp3Frame) => void;
  /** Bytes outside of frames, or an incomplete frame. `head`: the first bytes of an ID3 tag. */
  readonly onOther: (count: number, head?: Uint8Array) => void;
}

const NOBODY: Mp3Visitor = { onFrame: () => {}, onTag: () => {}, onOther: () => {} };

// After this many bytes without a frame, the rest of the file is not MP3.
const MOST_JUNK = 64 * 1024;

const ID3_HEAD_BYTES = 10;

interface State {
  frames: number;
  samples: number;
  /** The frames so far, if none had any sound; frames are no longer inspected once one has. */
  still: number;
  rate: number;
  channels: number;
  /** From the first frame on. */
  bytes: number;
  /** The bytes that the tag declares. */
  declared: number | undefined;
  junk: number;
  isCut: boolean;
}

/** True for an MP3 frame that is followed by another, or by the end of the file. */
export function* startsWithMp3(): Walk<boolean> {
  const frame = readFrame(yield* peek(4));
  if (frame === undefined) return false;
  const bytes = yield* peek(frame.bytes + 4);
  return bytes.length < frame.bytes + 4 || readFrame(bytes.subarray(frame.bytes)) !== undefined;
}

export function* walkMp3(visitor: Mp3Visitor = NOBODY): Walk<Walked> {
  const state: State = {
    frames: 0,
    samples: 0,
    still: 0,
    rate: 0,
    channels: 0,
    bytes: 0,
    declared: undefined,
    junk: 0,
    isCut: false,
  };
  let trailing = 0;
  for (;;) {
    const head = yield* peek(4);
    if (head.length < 4) {
      trailing += yield* passOther(4, visitor);
      break;
    }
    const frame = readFrame(head);
    if (frame !== undefined && (state.rate === 0 || frame.rate === state.rate)) {
      state.junk += trailing;
      trailing = 0;
      yield* walkFrame(frame, state, visitor);
      continue;
    }
    const start = new Uint8Array(yield* peek(ID3_HEAD_BYTES));
    const mark = yield* passTag();
    if (mark > 0) {
      visitor.onOther(mark, start);
      continue;
    }
    trailing += yield* passOther(1, visitor);
    if (trailing <= MOST_JUNK) continue;
    trailing += yield* passOther(Infinity, visitor);
    break;
  }
  return toOutcome(state, trailing);
}

const passOther = (count: number, { onOther }: Mp3Visitor): Walk<number> =>
  pass(count, (piece) => onOther(piece.length));

function* walkFrame(frame: Mp3Frame, state: State, visitor: Mp3Visitor): Walk<void> {
  const content = yield* take(frame.bytes);
  const isFirst = state.rate === 0;
  if (isFirst) [state.rate, state.channels] = [frame.rate, frame.channels];
  state.bytes += content.length;
  const tag = isFirst ? readTag(content, frame) : undefined;
  if (tag !== undefined) {
    state.declared = tag.bytes;
    visitor.onTag(content, frame);
    return;
  }
  state.isCut = content.length < frame.bytes;
  if (state.isCut) {
    visitor.onOther(content.length);
    return;
  }
  if (state.still === state.frames && isStill(content, frame)) state.still++;
  state.frames++;
  state.samples += frame.samples;
  visitor.onFrame(content, frame);
}

/** The tag of Xing and LAME, in place of the sound of the first frame. */
function readTag(bytes: Uint8Array, { sideBytes }: Mp3Frame) {
  const at = 4 + sideBytes;
  if (!["Xing", "Info"].includes(textAt(bytes, at)) || bytes.length < at + 16) return undefined;
  const view = toView(bytes);
  const flags = view.getUint32(at + 4);
  const hasFrames = (flags & 1) !== 0;
  return { bytes: (flags & 2) === 0 ? undefined : view.getUint32(at + (hasFrames ? 12 : 8)) };
}

function toOutcome(state: State, trailing: number): Walked {
  const { frames, samples, still, rate, channels, bytes, declared, junk } = state;
  if (rate === 0) return { container: "mp3", codec: "mp3", isEmpty: true };
  const isShort = declared !== undefined && bytes < declared;
  return {
    container: "mp3",
    codec: "mp3",
    rate,
    channels,
    durationMs: toDurationMs(samples, rate),
    isEmpty: frames === 0 && !state.isCut,
    isCut: isShort || state.isCut,
    share: isShort ? bytes / declared : undefined,
    fault: junk > MOST_JUNK ? `${junk} bytes between its frames are not MP3` : undefined,
    trailing,
    bytesPerSecond: samples > 0 ? (bytes * rate) / samples : 0,
    loudness: { isSilent: frames > 0 && still === frames, isQuiet: false },
  };
}
