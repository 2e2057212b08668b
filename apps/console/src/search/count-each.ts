// Counts the legs of other searches by a page past their end, so that the archive's access log names no call as shown.
import type { CallMediaClient } from "@call-media/client";
import type { SearchRoute } from "../route.ts";
import { today } from "../time.ts";
import { openSearch, toQuery } from "./query.ts";

const AT_ONCE = 4;

export interface CountTask {
  readonly client: CallMediaClient;
  readonly signal: AbortSignal;
  /** Gets the index of the search and its count; undefined if the page would have to read it to count. */
  readonly onCount: (place: number, count: number | undefined) => void;
}

/** @throws CallMediaError */
export async function countEach(
  routes: readonly SearchRoute[],
  { client, signal, onCount }: CountTask,
): Promise<void> {
  const countOne = async (route: SearchRoute) =>
    isCountable(route)
      ? await (await openSearch(client, toQuery(route, today.peek()), signal)).count()
      : undefined;
  // All workers draw from the same iterator.
  const rest = routes.entries();
  const work = async () => {
    for (const [place, route] of rest) onCount(place, await countOne(route));
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
}

/** False if the page itself checks part of the search, or asks for each call of a list. */
export function isCountable(route: SearchRoute): boolean {
  const { conditions, ids } = toQuery(route, today.peek());
  return conditions.length === 0 && ids === undefined;
}
