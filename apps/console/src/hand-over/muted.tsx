// Shows what a hand-over mutes: before it is created, and later from its report.
import type { Report } from "@call-media/handover";
import { showSpan } from "../mute/mute-panel.tsx";
import { toCallRoute, writeRoute } from "../route.ts";
import { toMutedOf } from "./handing.ts";
import type { Listing } from "./listing.ts";
import { words } from "./words.ts";

/** Renders nothing if nothing is muted. */
export function ToMute({ listing }: { readonly listing: Listing }) {
  const w = words();
  const places = toMutedOf(listing);
  const unheard = places.filter(({ isHeard }) => !isHeard).length;
  if (places.length === 0) return null;
  return (
    <details>
      <summary>
        {w.toMute(places.length)}
        {unheard > 0 && <span class="wrong"> {w.unheard(unheard, places.length)}</span>}
      </summary>
      <ul>
        {places.map(({ span }, index) => (
          <li key={index}>
            <a href={writeRoute(toCallRoute("call_id", span.call_id))}>
              <bdi>{span.call_id}</bdi>
            </a>{" "}
            <span class="number">{showSpan(span)}</span>{" "}
            <span class="quiet">
              <bdi>{span.reason}</bdi>
            </span>
          </li>
        ))}
      </ul>
      <p class="quiet">{w.muteHint}</p>
    </details>
  );
}

export function Muted({ report }: { readonly report: Report }) {
  const w = words();
  const { muted } = report.files;
  const missing = report.mute?.missing ?? [];
  return (
    <>
      {muted !== undefined && <p>{w.muted(muted.recordings, muted.spans, muted.seconds)}</p>}
      {missing.length > 0 && (
        <p class="wrong" role="alert">
          {w.notMuted(missing)}
        </p>
      )}
    </>
  );
}
