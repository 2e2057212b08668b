// The player at the foot of every page except that of the call that plays.
import { useComputed } from "@preact/signals";
import { go } from "../address.ts";
import type { Leg } from "../call/load.ts";
import { customerOf } from "../fields.ts";
import { callWords } from "../text/call-words.ts";
import { text } from "../text/text.ts";
import { showSeconds, toShown, zone } from "../time.ts";
import { IconButton } from "../ui/button.tsx";
import { useKeys } from "../ui/keys.ts";
import { toSentences } from "./obstacle-notice.tsx";
import { STEP_SECONDS, step } from "./player-keys.ts";
import { type Played, played } from "./playing.ts";
import type { Sound } from "./sound.ts";

/** Going back returns to the current hit if it was heard for longer than this, else to the one before. */
const HEARD_SECONDS = 2;

interface SmallPlayerProps {
  readonly played: Played;
  /** True below the list, where Space plays the selected row. */
  readonly isList: boolean;
}

export function SmallPlayer({ played: now, isList }: SmallPlayerProps) {
  const t = text.value;
  const c = callWords();
  const { record, sound } = now;
  useKeys({
    " ": isList ? undefined : sound?.toggle,
    ArrowLeft: sound && (() => step(sound, -STEP_SECONDS)),
    ArrowRight: sound && (() => step(sound, STEP_SECONDS)),
    n: sound && (() => goToHit(now.hits, sound, 1)),
    p: sound && (() => goToHit(now.hits, sound, -1)),
  });
  return (
    // A page may show the player of another call.
    <section
      class="below-bar small-player"
      aria-label={`${c.player}: ${customerOf(record) || t.nobody}`}
    >
      {sound === undefined ? (
        <p class="grow" role="status">
          {now.fault === undefined ? c.loadingSound : t.faults[now.fault.kind].title}
        </p>
      ) : (
        <Controls sound={sound} hits={now.hits} />
      )}
      <p class="who">
        <bdi class="cut">{customerOf(record) || t.nobody}</bdi>
        <span class="quiet">
          {[toDay(record.datetime), sound && toPart(now.leg, sound)].filter(Boolean).join(" · ")}
        </span>
      </p>
      {sound !== undefined && (
        <button type="button" class="button quiet" onClick={() => open(now.leg, sound)}>
          {c.open}
        </button>
      )}
      <IconButton
        icon="close"
        label={t.close}
        shortcut={isList ? "Esc" : undefined}
        onClick={() => (played.value = undefined)}
      />
    </section>
  );
}

function toDay(datetime: string | null): string | undefined {
  const shown = datetime === null ? undefined : toShown(datetime, zone.value);
  return shown && `${shown.date} ${shown.time}`;
}

const toPart = ({ parts }: Leg, { which }: Sound): string | undefined =>
  parts.length < 2 ? undefined : callWords().part(parts.indexOf(which.part) + 1);

function open({ route, parts }: Leg, { which, time }: Sound): void {
  const from = Math.floor(time.value);
  go({
    ...route,
    part: which.part === parts[0] ? undefined : which.part,
    at: from > 0 ? { from, to: undefined } : undefined,
  });
}

/** Moves to the next hit, or to the one before. */
function goToHit(hits: readonly number[], { time, seek }: Sound, by: 1 | -1): void {
  const at = time.value;
  const to =
    by === 1
      ? hits.find((hit) => hit > at + 0.1)
      : hits.findLast((hit) => hit < at - HEARD_SECONDS);
  if (to !== undefined) seek(to);
}

interface ControlsProps {
  readonly sound: Sound;
  readonly hits: readonly number[];
}

function Controls({ sound, hits }: ControlsProps) {
  const t = text.value;
  const c = callWords();
  const isOn = sound.isPlaying.value;
  const now = useComputed(() => Math.floor(sound.time.value));
  const { value: obstacle } = sound.obstacle;
  if (obstacle !== undefined)
    return (
      <p class="grow" role="alert">
        {toSentences(obstacle).title}
      </p>
    );
  const length = Math.floor(sound.length.value);
  return (
    <>
      <IconButton
        icon={isOn ? "pause" : "play"}
        label={isOn ? t.pause : t.play}
        shortcut="␣"
        onClick={sound.toggle}
      />
      <span class="grow track">
        <input
          type="range"
          aria-label={c.position}
          aria-valuetext={c.positionOf(showSeconds(now.value), showSeconds(length))}
          min={0}
          max={Math.max(1, length)}
          value={now.value}
          onInput={(event) => sound.seek(Number(event.currentTarget.value))}
        />
        {length > 0 &&
          hits.map((hit) => (
            <i key={hit} style={{ insetInlineStart: `${(100 * hit) / length}%` }} />
          ))}
      </span>
      <span class="number">
        {showSeconds(now.value)} / {length > 0 ? showSeconds(length) : "–:––"}
      </span>
    </>
  );
}
