// Works on items in parallel, in the order in which they begin.

/** Most items at a time, and what is called with each error; the work on the other items goes on. */
interface ParallelOptions {
  readonly limit: number;
  readonly stop: (error: unknown) => void;
}

/** Resolves when no item is in progress, whatever happened. */
export async function eachInParallel<Item>(
  items: Iterable<Item> | AsyncIterable<Item>,
  work: (item: Item) => Promise<void>,
  { limit, stop }: ParallelOptions,
): Promise<void> {
  const inProgress = new Set<Promise<void>>();
  try {
    for await (const item of items) {
      const one: Promise<void> = work(item)
        .catch(stop)
        .finally(() => inProgress.delete(one));
      inProgress.add(one);
      if (inProgress.size >= limit) await Promise.race(inProgress);
    }
  } catch (error) {
    stop(error);
  }
  await Promise.all(inProgress);
}
