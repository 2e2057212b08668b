// Links to the call whose identifier was typed, because a search by words finds no identifiers.
import type { CallMediaClient } from "@call-media/client";
import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { toDayRange } from "../days.ts";
import { type CallRoute, toCallRoute, writeRoute } from "../route.ts";
import { menuWords } from "../text/menu-words.ts";

interface IdHitProps {
  readonly words: string;
  readonly client: CallMediaClient;
}

export function IdHit({ words, client }: IdHitProps) {
  const found = useSignal<CallRoute | undefined>(undefined);
  useEffect(() => {
    const aborter = new AbortController();
    found.value = undefined;
    if (ID.test(words))
      findById(client, words, aborter.signal).then(
        (route) => (found.value = route),
        // The search next to it reports the error.
        () => undefined,
      );
    return () => aborter.abort();
  }, [words, client]);
  const { value: route } = found;
  if (route === undefined) return null;
  return (
    <p class="id-hit">
      <a class="button" href={writeRoute(route)}>
        {route.by === "call_id"
          ? menuWords().openCallId(route.id)
          : menuWords().openReference(route.id)}
      </a>
    </p>
  );
}

const ID = /^(?=.*\d)[^\s"*]{4,}$/;

/** Counts, so that no call is shown. Filters by identifier keep the text out of URLs: it may be a number or a name. */
async function findById(
  client: CallMediaClient,
  id: string,
  signal: AbortSignal,
): Promise<CallRoute | undefined> {
  const range = toDayRange("all", "");
  for (const by of ["call_id", "ref_id"] as const) {
    const filter = by === "call_id" ? { call_id: id } : { ref_id: id };
    // If the archive does not report a count, the call exists.
    if ((await client.calls.search({ ...range, filter, signal }).count()) !== 0)
      return toCallRoute(by, id);
  }
  return undefined;
}
