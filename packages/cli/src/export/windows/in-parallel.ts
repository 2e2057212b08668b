// Processes items in parallel, started in order.

/** `limit`: maximum number of items in parallel. `stop`: called with each error, while the other items continue. */
interface ParallelOptions {
  readonly limit: number;
  readonly stop: (error: unknown) => void;
}

/** Resolves when no item is in progress, also after errors. */
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
