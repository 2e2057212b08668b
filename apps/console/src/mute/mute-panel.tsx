// The muted places of a recording, each with its reason, to be listened to and moved by tenths of a second; and what is proposed.
import type { CallSpan } from "@call-media/handover";
import { useSignal, useSignalEffect } from "@preact/signals";
import { toLength } from "../call/length.ts";
import type { Sound } from "../player/sound.ts";
import { muteWords } from "../text/mute-words.ts";
import { showSeconds } from "../time.ts";
import { IconButton } from "../ui/button.tsx";
import type { CallMuting } from "./call-muting.ts";
import type { MutedPlace } from "./muted-places.ts";
import { isWithin, replacePlace } from "./places.ts";
import "../style/mute.css";

interface MutePanelProps {
  readonly muting: CallMuting;
  readonly sound: Sound;
}

/** "0:12.3–0:15" */
export const showSpan = ({ from, to }: Pick<CallSpan, "from" | "to">): string =>
  [from, to]
    .map((at) => `${showSeconds(at)}${(at % 1).toFixed(1).slice(1).replace(".0", "")}`)
    .join("–");

/** Renders nothing where nothing is muted or proposed. */
export function MutePanel({ muting, sound }: MutePanelProps) {
  const { places, proposed } = muting;
  const w = muteWords();
  const listen = useListening(sound, places);
  if (places.length + proposed.spans.length + proposed.untimed === 0) return null;
  return (
    <section class="mutes" aria-labelledby="mutes">
      <h2 id="mutes">{w.title}</h2>
      {places.length > 0 && <p class="quiet">{w.hint}</p>}
      <ul>
        {places.map((place, index) => (
          <PlaceItem
            key={index}
            place={place}
            number={index + 1}
            seconds={toLength(sound) ?? Infinity}
            onPlay={() => listen(place.span)}
          />
        ))}
        {proposed.spans.map((span) => (
          <li key={span.from} class="proposed">
            <IconButton icon="play" label={w.play(showSpan(span))} onClick={() => listen(span)} />
            <span>
              {w.card}: <b class="number">{showSpan(span)}</b>
            </span>
            <button
              type="button"
              class="button"
              aria-label={w.mute(showSpan(span))}
              onClick={() => muting.muteSpan(span, span.reason)}
            >
              {w.muted}
            </button>
          </li>
        ))}
      </ul>
      {proposed.untimed > 0 && <p role="status">{w.untimed(proposed.untimed)}</p>}
    </section>
  );
}

interface PlaceItemProps {
  readonly place: MutedPlace;
  /** From 1. */
  readonly number: number;
  /** The length of the recording. */
  readonly seconds: number;
  readonly onPlay: () => void;
}

function PlaceItem({ place, number, seconds, onPlay }: PlaceItemProps) {
  const w = muteWords();
  const { span, isHeard } = place;
  const move = (edge: Partial<Pick<CallSpan, "from" | "to">>, input: HTMLInputElement) => {
    const other = { ...span, ...edge };
    input.setCustomValidity(isWithin(other, seconds) ? "" : w.isWrong);
    // Another place is one that nobody has listened to yet.
    if (input.reportValidity()) replacePlace(span, { span: other, isHeard: false });
  };
  return (
    <li>
      <IconButton icon="play" label={w.play(showSpan(span))} onClick={onPlay} />
      <input
        class="number"
        type="number"
        step={0.1}
        min={0}
        aria-label={w.from(number)}
        value={span.from}
        onChange={({ currentTarget }) => move({ from: currentTarget.valueAsNumber }, currentTarget)}
      />
      –
      <input
        class="number"
        type="number"
        step="any"
        min={0}
        aria-label={w.to(number)}
        value={span.to}
        onChange={({ currentTarget }) => move({ to: currentTarget.valueAsNumber }, currentTarget)}
      />
      <input
        type="text"
        maxLength={200}
        aria-label={w.reason(number)}
        placeholder={w.why}
        value={span.reason ?? ""}
        onChange={({ currentTarget: { value } }) =>
          replacePlace(span, { span: { ...span, reason: value.trim() || undefined }, isHeard })
        }
      />
      <span class="quiet" role="status">
        {isHeard ? w.heard : w.notHeard}
      </span>
      <IconButton
        icon="close"
        label={w.remove(showSpan(span))}
        onClick={() => replacePlace(span)}
      />
    </li>
  );
}

// As much is played before and behind a place.
const AROUND_SECONDS = 2;

/** Plays around a place; it was listened to when its end was played. */
function useListening(sound: Sound, places: readonly MutedPlace[]): (span: CallSpan) => void {
  const listened = useSignal<CallSpan | undefined>(undefined);
  useSignalEffect(() => {
    const { value: span } = listened;
    if (span === undefined || !sound.isPlaying.value || sound.time.value < span.to - 0.1) return;
    listened.value = undefined;
    const place = places.find((one) => one.span === span);
    if (place !== undefined) replacePlace(span, { span, isHeard: true });
  });
  return (span) => {
    sound.seek(Math.max(0, span.from - AROUND_SECONDS));
    listened.value = span;
    void sound.play();
  };
}
