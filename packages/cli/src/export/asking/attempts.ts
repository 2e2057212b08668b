// How many requests a file took, whatever the client sends for it: retries, the rest of a recording, recordings that are not it.
import { AsyncLocalStorage } from "node:async_hooks";
import type { Fetch } from "@call-media/client";

const counters = new AsyncLocalStorage<{ requests: number }>();

/** Does the work, which reads how many requests were sent for it until then. */
export async function countRequests<Result>(
  work: (readCount: () => number) => Promise<Result>,
): Promise<Result> {
  const counter = { requests: 0 };
  return await counters.run(counter, () => work(() => counter.requests));
}

/** Of the file itself: a sign-in serves everybody, and a look at the records of its call may be needed in one run and not in another. */
const OF_FILE = /\/(?:recording|chat)\//;

export function countSent(fetch: Fetch): Fetch {
  return (url, init) => {
    const counter = counters.getStore();
    if (counter !== undefined && OF_FILE.test(url)) counter.requests++;
    return fetch(url, init);
  };
}
