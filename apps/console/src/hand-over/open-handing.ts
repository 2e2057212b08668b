// Keeps the last hand-over and its choices until the user signs out.
import { effect, type Signal } from "@preact/signals";
import { type HandOverRoute, writeRoute } from "../route.ts";
import { toQuery } from "../search/query.ts";
import { signedIn, type SignedIn } from "../session.ts";
import { today } from "../time.ts";
import { type Choices, createChoices, createHanding, type Handing } from "./handing.ts";

interface Latest {
  readonly who: SignedIn;
  readonly route: HandOverRoute;
  readonly choices: Signal<Choices>;
  readonly handing: Handing;
}

let latest: Latest | undefined;

const isLatestUser = (who: SignedIn | undefined): boolean =>
  who?.person.username === latest?.who.person.username;

// Nothing that one user listed stays for the next.
effect(() => {
  if (!isLatestUser(signedIn.value)) latest = undefined;
});

/** A user who returns from a call finds the same hand-over. Leaving out calls keeps the other choices. */
export function openHanding(who: SignedIn, route: HandOverRoute): Handing {
  if (latest?.who === who && writeRoute(latest.route) === writeRoute(route)) return latest.handing;
  const choices = findChoices(who, route) ?? createChoices();
  const { search, picked, without } = route;
  const selection = { query: toQuery(search, today.peek()), picked, without };
  latest = { who, route, choices, handing: createHanding(who, selection, choices) };
  return latest.handing;
}

/** The choices of the same user for the same calls, whichever were left out. */
function findChoices(who: SignedIn, route: HandOverRoute): Signal<Choices> | undefined {
  if (latest === undefined || !isLatestUser(who)) return undefined;
  return toComplete(latest.route) === toComplete(route) ? latest.choices : undefined;
}

const toComplete = (route: HandOverRoute): string => writeRoute({ ...route, without: [] });
