// Work on several rows at once, of which nobody sees anything but that it is done sooner.

/** The files of so many rows are taken in at once: each waits for the disk three times. */
const AT_ONCE = 8;

/** And rows of so many characters, or one: some have their recordings within them. */
const CHARACTERS_AT_ONCE = 1024 * 1024;

/** Something to do, and its result. */
export interface Work<To> {
  readonly characters: number;
  readonly carryOut: () => Promise<To>;
}

/**
 * The results of all work, in the order in which it comes. What work throws, or `all`, is thrown when all before it were given. When
 * it ends, however it does, nothing is under way.
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

/** All of it, and at last, where there is no more for a fault, that. */
async function* withFault<To>(all: AsyncIterable<Work<To>>): AsyncGenerator<Work<To>, void> {
  try {
    yield* all;
  } catch (fault) {
    yield { characters: 0, carryOut: () => Promise.reject<To>(fault) };
  }
}
