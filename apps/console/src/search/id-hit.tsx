// A link to the call whose identifier was typed: no search by words finds identifiers.
import type { CallMediaClient } from "@call-media/client";
import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { toDayRange } from "../days.ts";
import { type CallRoute, toCallRoute, writeRoute } from "../route.ts";
import { text } from "../text/text.ts";

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
        // The search beside it says what is wrong.
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
          ? text.value.openCallId(route.id)
          : text.value.openReference(route.id)}
      </a>
    </p>
  );
}

const ID = /^(?=.*\d)[^\s"*]{4,}$/;

/** Counted, so that no call is shown. By what no address has in it: what was typed may also be a number or a name. */
async function findById(
  client: CallMediaClient,
  id: string,
  signal: AbortSignal,
): Promise<CallRoute | undefined> {
  const range = toDayRange("all", "");
  for (const by of ["call_id", "ref_id"] as const) {
    const filter = by === "call_id" ? { call_id: id } : { ref_id: id };
    // Where the archive does not say how many, there are some.
    if ((await client.calls.search({ ...range, filter, signal }).count()) !== 0)
      return toCallRoute(by, id);
  }
  return undefined;
}
