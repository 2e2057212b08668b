// Reads a muted MP3 again together with its original, frame by frame, with the sound of each frame wherever it is stored.
import { type Mp3Frame, readSideInfo } from "../containers/mp3-frame.ts";
import {
  createChoice,
  type FramesPlan,
  MOST_BACK,
  muteFrames,
  readUnits,
  toBytesOfBits,
  toMainStart,
} from "./frames.ts";
import { CannotMute } from "./spans.ts";
import { type Bytes, countBytes, inStep } from "./streams.ts";

/** The last bytes of sound, as far back as a frame may refer. */
function createReservoir() {
  let bytes = new Uint8Array();
  return {
    add(more: Uint8Array): void {
      const kept = bytes.subarray(Math.max(0, bytes.length - MOST_BACK));
      const joined = new Uint8Array(kept.length + more.length);
      joined.set(kept);
      joined.set(more, kept.length);
      bytes = joined;
    },
    /** `back`: from the end. Bytes before the start of the file are left out. */
    read: (back: number, length: number): Uint8Array => {
      const start = bytes.length - back;
      return bytes.subarray(Math.max(0, start), Math.max(0, start + length));
    },
  };
}

const isEqual = (one: Uint8Array, other: Uint8Array): boolean =>
  one.length === other.length && one.every((byte, at) => byte === other[at]);

/** @throws CannotMute at the first frame that is not as it should be. */
export async function proveFrames(
  original: () => Bytes,
  written: () => Bytes,
  plan: FramesPlan,
): Promise<void> {
  const isProved = createComparison(plan);
  const others = readSound(written());
  let at = 0;
  for await (const unit of readSound(original())) {
    const { value: other } = await others.next();
    if (other === undefined || !isProved(unit, other)) throw new CannotMute(toDifference(at));
    at += unit.bytes.length;
  }
  if ((await others.next()).done !== true) throw new CannotMute(toDifference(at));
  // Bytes outside of frames are cleared if muting again changes nothing.
  at = 0;
  for await (const [one, other] of inStep(written(), muteFrames(written(), plan))) {
    if (!isEqual(one, other)) throw new CannotMute(toDifference(at));
    at += one.length;
  }
  if (at !== (await countBytes(original()))) throw new CannotMute(toDifference(at));
}

const toDifference = (at: number): string =>
  `the muted file differs from what it should be near byte ${at}`;

interface Sound {
  readonly isFrame: boolean;
  readonly bytes: Uint8Array;
  readonly frame: Mp3Frame;
}

async function* readSound(bytes: Bytes): AsyncGenerator<Sound> {
  for await (const { kind, bytes: content, frame } of readUnits(bytes))
    if (frame !== undefined) yield { isFrame: kind === "frame", bytes: content, frame };
}

function createComparison(plan: FramesPlan): (one: Sound, other: Sound) => boolean {
  const isMuted = createChoice(plan);
  const [before, after] = [createReservoir(), createReservoir()];
  return ({ isFrame, bytes, frame }, { bytes: other, ...rest }) => {
    if (rest.isFrame !== isFrame || other.length !== bytes.length) return false;
    if (!isFrame) return isEqual(bytes, other);
    const start = toMainStart(frame);
    before.add(bytes.subarray(start));
    after.add(other.subarray(start));
    const { begin, parts } = readSideInfo(bytes, frame);
    const length = toBytesOfBits(parts.reduce((sum, part) => sum + part.length, 0));
    const back = bytes.length - start + begin;
    const sound = after.read(back, length);
    if (!isMuted(frame))
      return (
        isEqual(bytes.subarray(0, start), other.subarray(0, start)) &&
        isEqual(before.read(back, length), sound)
      );
    const isStill = readSideInfo(other, frame).parts.every((part) => part.length === 0);
    return isStill && sound.every((byte) => byte === 0);
  };
}
