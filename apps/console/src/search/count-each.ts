// How many legs other searches have, counted by the archive past their end, so that its access log names no call as shown.
import type { CallMediaClient } from "@call-media/client";
import type { SearchRoute } from "../route.ts";
import { today } from "../time.ts";
import { openSearch, toQuery } from "./query.ts";

const AT_ONCE = 4;

export interface CountTask {
  readonly client: CallMediaClient;
  readonly signal: AbortSignal;
  /** The place of the search among the given ones, and its count; undefined where the page would have to read it. */
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
  // All of the workers take from one.
  const rest = routes.entries();
  const work = async () => {
    for (const [place, route] of rest) onCount(place, await countOne(route));
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
}

/** False where the page itself checks a part of the search. */
export const isCountable = (route: SearchRoute): boolean =>
  toQuery(route, today.peek()).conditions.length === 0;
