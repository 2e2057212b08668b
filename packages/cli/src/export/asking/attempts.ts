// How many requests a piece of work took, whatever the client sends for it: retries, the rest of a recording, look-ups.
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

/** A sign-in serves everybody, and counts for nobody. */
export function countSent(fetch: Fetch): Fetch {
  return (url, init) => {
    const counter = counters.getStore();
    if (counter !== undefined && !url.endsWith("/Token")) counter.requests++;
    return fetch(url, init);
  };
}
