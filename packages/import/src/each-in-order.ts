// Works on several rows in parallel and gives their results in order.

/** The files of this many rows are copied in parallel: each waits for the disk three times. */
const AT_ONCE = 8;

/** Limit of the characters of these rows; one row may have more. Some have their recordings within them. */
const CHARACTERS_AT_ONCE = 1024 * 1024;

/** Something to do, and its result. */
export interface Work<To> {
  readonly characters: number;
  readonly carryOut: () => Promise<To>;
}

/**
 * The results of all work, in its order. An error of the work, or of `all`, is thrown after the results before it. When the
 * generator ends, for whatever reason, no work is in progress.
 */
export async function* eachInOrder<To>(all: AsyncIterable<Work<To>>): AsyncGenerator<To, void> {
  const underWay: { readonly characters: number; readonly result: Promise<To> }[] = [];
  let held = 0;
  const isFull = () => underWay.length >= AT_ONCE || held > CHARACTERS_AT_ONCE;
  try {
    for await (const { characters, carryOut } of withFault(all)) {
      const result = carryOut();
      result.catch(() => {}); // thrown when its turn comes
      underWay.push({ characters, result });
      held += characters;
      while (isFull()) {
        const first = underWay.shift();
        if (first === undefined) break;
        yield await first.result;
        held -= first.characters;
      }
    }
    for (const { result } of underWay) yield await result;
  } finally {
    await Promise.allSettled(underWay.map(({ result }) => result));
  }
}

/** Passes all work on, and the error of `all` as the last. */
async function* withFault<To>(all: AsyncIterable<Work<To>>): AsyncGenerator<Work<To>, void> {
  try {
    yield* all;
  } catch (fault) {
    yield { characters: 0, carryOut: () => Promise.reject<To>(fault) };
  }
}
