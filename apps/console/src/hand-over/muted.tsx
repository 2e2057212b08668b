// The list of muted places, and of places where a card number seems to be said. Each leads to its call, to listen to it.
import type { CallSpan } from "@call-media/handover";
import { useSignal } from "@preact/signals";
import { showSpan } from "../mute/mute-panel.tsx";
import { addSpan, isMuted, replacePlace } from "../mute/places.ts";
import { toCallRoute, writeRoute } from "../route.ts";
import { signedIn } from "../session.ts";
import { muteWords } from "../text/mute-words.ts";
import { IconButton } from "../ui/button.tsx";
import { type Handing, toMutedOf } from "./handing.ts";
import type { Listing } from "./listing.ts";
import { countChats, type Proposals, proposeAll } from "./proposals.ts";
import { words } from "./words.ts";

interface ToMuteProps {
  readonly handing: Handing;
  readonly listing: Listing;
}

export function ToMute({ listing }: ToMuteProps) {
  const w = words();
  const places = toMutedOf(listing);
  return (
    <section aria-labelledby="mute">
      <h2 id="mute">
        {w.mute}{" "}
        <small>{places.length === 0 ? w.muteNothing : `${w.toMute(places.length)}.`}</small>
      </h2>
      {places.length > 0 && (
        <ul class="spans">
          {places.map(({ span, isHeard }, index) => (
            <li key={index}>
              <SpanOf span={span} />
              <span class={isHeard ? "quiet" : "wrong"}>
                {isHeard ? muteWords().heard : muteWords().notHeard}
              </span>
              <IconButton
                icon="close"
                label={muteWords().remove(showSpan(span))}
                onClick={() => replacePlace(span)}
              />
            </li>
          ))}
        </ul>
      )}
      {places.length > 0 && <p class="quiet">{w.muteHint}</p>}
      <Look listing={listing} />
    </section>
  );
}

/** A place, with the link to hear it. */
function SpanOf({ span }: { readonly span: CallSpan }) {
  const to = { ...toCallRoute("call_id", span.call_id), part: span.part };
  const at = { from: Math.max(0, Math.floor(span.from) - 2), to: undefined };
  return (
    <>
      <a href={writeRoute({ ...to, at })}>
        <bdi>{span.call_id}</bdi>
      </a>
      <span class="number">{showSpan(span)}</span>
      <span class="quiet">
        <bdi>{span.reason}</bdi>
      </span>
    </>
  );
}

/** Proposes places in all of the calls. Reads their chats, which the access log notes as shown. */
function Look({ listing }: { readonly listing: Listing }) {
  const w = words();
  const found = useSignal<Proposals | undefined>(undefined);
  const isLooking = useSignal(false);
  const count = countChats(listing);
  const look = async () => {
    const { value: who } = signedIn;
    if (who === undefined) return;
    isLooking.value = true;
    found.value = await proposeAll(who.access.client, listing).catch(() => undefined);
    isLooking.value = false;
  };
  if (count === 0) return null;
  if (found.value === undefined)
    return (
      <button type="button" class="button" disabled={isLooking.value} onClick={() => void look()}>
        {w.look(count)}
      </button>
    );
  return <Proposed found={found.value} />;
}

function Proposed({ found }: { readonly found: Proposals }) {
  const w = words();
  const open = found.spans.filter((span) => !isMuted(span));
  return (
    <>
      <p role="status">{w.looked(found.spans.length)}</p>
      {open.length > 0 && (
        <ul class="spans">
          {open.map((span, index) => (
            <li key={index}>
              <SpanOf span={span} />
              <button
                type="button"
                class="button"
                aria-label={muteWords().mute(showSpan(span))}
                onClick={() => addSpan(span, Infinity)}
              >
                {muteWords().muted}
              </button>
            </li>
          ))}
        </ul>
      )}
      {found.untimed > 0 && <p class="wrong">{w.untimed(found.untimed)}</p>}
      {found.withoutTimes > 0 && <p class="quiet">{w.noTimes(found.withoutTimes)}</p>}
      {found.refused > 0 && <p class="wrong">{w.chatsRefused(found.refused)}</p>}
    </>
  );
}
