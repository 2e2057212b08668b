// Keeps the muted places for a reload of the tab, while the session lasts: seconds of calls, and never why they are muted.
import { effect } from "@preact/signals";
import { signedIn } from "../session.ts";
import { type MutedPlace, mutedPlaces } from "./muted-places.ts";

const KEY = "call-media:muted";

let isKeeping = false;

/** Brings back those of this session, and keeps them from now on. To be called before any is added. */
export function keepPlaces(): void {
  if (isKeeping) return;
  isKeeping = true;
  if (mutedPlaces.peek().length === 0) mutedPlaces.value = read(toSession());
  effect(() => write(toSession(), mutedPlaces.value));
}

/** When the session ends at the latest: no other has the same. A page without a session forgets its user with a reload. */
const toSession = (): string | undefined => signedIn.value?.person.ends;

function write(session: string | undefined, places: readonly MutedPlace[]): void {
  try {
    if (session === undefined || places.length === 0) sessionStorage.removeItem(KEY);
    else
      sessionStorage.setItem(KEY, JSON.stringify({ session, places: places.map(withoutReason) }));
  } catch {
    // A browser that stores nothing forgets them.
  }
}

/** A reason is text of the user, which may name a person. */
const withoutReason = ({
  span: { reason: _reason, ...span },
  ...place
}: MutedPlace): MutedPlace => ({
  ...place,
  span,
});

function read(session: string | undefined): readonly MutedPlace[] {
  try {
    const kept = JSON.parse(sessionStorage.getItem(KEY) ?? "null") as Kept | null; // as `write` left it
    return kept !== null && kept.session === session ? kept.places : [];
  } catch {
    return [];
  }
}

interface Kept {
  readonly session: string;
  readonly places: readonly MutedPlace[];
}
