// Runs a walk over bytes that arrive in pieces. A walk requests its bytes step by step, independent of the boundaries.

/** Receives bytes piece by piece; a piece must be used before the next. */
export type Sink = (piece: Uint8Array) => void;

/** `peek` leaves the bytes for the next step; `pass` skips them, passing them to `to` if there is one. */
export interface Step {
  readonly kind: "peek" | "take" | "pass";
  readonly bytes: number;
  readonly to?: Sink | undefined;
}

export interface Reply {
  /** The bytes of `peek` and `take`; fewer only at the end of the file. They must be used before the next step. */
  bytes: Uint8Array;
  /** The number of bytes passed; fewer only at the end of the file. */
  passed: number;
}

export type Walk<Result> = Generator<Step, Result, Reply>;

/** The maximum that a step may peek at or take. */
export const MOST_HELD = 4_096;

/** Fewer bytes than requested mean the end of the file. */
export function* peek(bytes: number): Walk<Uint8Array> {
  return (yield { kind: "peek", bytes }).bytes;
}

/** Fewer bytes than requested mean the end of the file. */
export function* take(bytes: number): Walk<Uint8Array> {
  return (yield { kind: "take", bytes }).bytes;
}

/** Returns the number of bytes passed: fewer than requested mean the end of the file. */
export function* pass(bytes: number, to?: Sink): Walk<number> {
  return (yield { kind: "pass", bytes, to }).passed;
}

export interface Feed<Result> {
  readonly push: Sink;
  /** Returns the result of the walk, and the number of bytes after its end. */
  end(): { readonly result: Result; readonly rest: number };
}

/** Holds at most `MOST_HELD` bytes. */
export function createFeed<Result>(walk: Walk<Result>): Feed<Result> {
  const held = new Uint8Array(MOST_HELD);
  const reply: Reply = { bytes: held.subarray(0, 0), passed: 0 };
  let [start, end, passed, rest] = [0, 0, 0, 0];
  let state = walk.next(reply);

  const resume = (): void => {
    state = walk.next(reply);
    passed = 0;
  };
  const letPass = (bytes: Uint8Array, { bytes: wanted, to }: Step): number => {
    const count = Math.min(wanted - passed, bytes.length);
    if (count > 0) to?.(bytes.subarray(0, count));
    passed += count;
    reply.passed = passed;
    return count;
  };
  /** Moves the held bytes to the start, to make room after them. */
  const compact = (): void => {
    held.copyWithin(0, start, end);
    [start, end] = [0, end - start];
  };
  const giveHeld = (step: Step, bytes: number): void => {
    reply.bytes = held.subarray(start, start + bytes);
    if (step.kind === "take") start += bytes;
    resume();
  };
  /** Returns the number of bytes of the piece used from `at` on; undefined if the walk needs more than there are. */
  const advance = (step: Step, piece: Uint8Array, at: number): number | undefined => {
    const [inHeld, inPiece] = [end - start, piece.length - at];
    if (step.kind === "pass") {
      const count = inHeld > 0 ? letPass(held.subarray(start, end), step) : 0;
      start += count;
      const used = start === end ? letPass(at === 0 ? piece : piece.subarray(at), step) : 0;
      if (passed < step.bytes) return undefined;
      resume();
      return used;
    }
    if (inHeld === 0 && inPiece >= step.bytes) {
      reply.bytes = piece.subarray(at, at + step.bytes);
      resume();
      return step.kind === "take" ? step.bytes : 0;
    }
    const missing = Math.max(0, step.bytes - inHeld);
    if (start + step.bytes > MOST_HELD) compact();
    const count = Math.min(missing, inPiece);
    held.set(piece.subarray(at, at + count), end);
    end += count;
    if (count < missing) return undefined;
    giveHeld(step, step.bytes);
    return count;
  };

  return {
    push(piece) {
      let at = 0;
      while (state.done !== true) {
        const used = advance(state.value, piece, at);
        if (used === undefined) return;
        at += used;
      }
      rest += end - start + piece.length - at;
      start = end;
    },
    end() {
      while (state.done !== true) {
        const { value: step } = state;
        if (step.kind !== "pass") giveHeld(step, Math.min(step.bytes, end - start));
        else {
          start += letPass(held.subarray(start, end), step);
          reply.passed = passed;
          resume();
        }
      }
      return { result: state.value, rest: rest + end - start };
    },
  };
}
