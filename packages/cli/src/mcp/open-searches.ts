// Keeps searches open for further pages. The next page continues a search; any other starts it again.
export interface OpenSearch<Page> {
  /** Undefined past the end. */
  readonly next: () => Promise<Page | undefined>;
  readonly abort: () => void;
}

export interface OpenSearches {
  /** A page of the search that `open` opens; undefined past the end. */
  readonly read: <Page>(
    wanted: WantedPage,
    open: () => Promise<OpenSearch<Page>>,
  ) => Promise<Page | undefined>;
}

interface WantedPage {
  /** Equal for equal searches. */
  readonly key: string;
  /** From 1. */
  readonly number: number;
  readonly signal: AbortSignal;
}

const MAX_OPEN = 8;

interface Kept {
  readonly search: OpenSearch<unknown>;
  /** Number of the next page. */
  readonly next: number;
}

export function createOpenSearches(): OpenSearches {
  const kept = new Map<string, Kept>();
  return {
    async read<Page>({ key, number, signal }: WantedPage, open: () => Promise<OpenSearch<Page>>) {
      const there = kept.get(key);
      kept.delete(key);
      const isNext = there?.next === number;
      // The key depends on the arguments, so the search has the same type.
      const search = isNext ? (there.search as OpenSearch<Page>) : await open();
      if (signal.aborted) search.abort();
      signal.addEventListener("abort", search.abort, { once: true });
      try {
        let page: Page | undefined;
        for (let at = isNext ? number : 1; at <= number; at++) page = await search.next();
        if (page !== undefined) kept.set(key, { search, next: number + 1 });
        const [oldest] = kept.keys();
        if (kept.size > MAX_OPEN && oldest !== undefined) kept.delete(oldest);
        return page;
      } finally {
        signal.removeEventListener("abort", search.abort);
      }
    },
  };
}
