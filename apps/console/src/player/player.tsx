// The player: two rows of the same height in every state, so that nothing below ever moves.
import { useComputed, useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { findHits, type Line } from "../call/lines.ts";
import type { CallRoute } from "../route.ts";
import type { CallMuting } from "../mute/call-muting.ts";
import { callWords } from "../text/call-words.ts";
import { text } from "../text/text.ts";
import { showSeconds } from "../time.ts";
import { IconButton } from "../ui/button.tsx";
import { Icon } from "../ui/icon.tsx";
import { useKeys } from "../ui/keys.ts";
import { closePopover } from "../ui/popover.tsx";
import { ChannelChoice, Levels } from "./channel-controls.tsx";
import { type Lane, useLanes } from "./lanes.ts";
import { ObstacleNotice } from "./obstacle-notice.tsx";
import { isMuted, isSkipping, rate, RATES, volume } from "./playback.ts";
import { isPlaying } from "./playing.ts";
import { step, STEP_SECONDS, usePlayerKeys } from "./player-keys.ts";
import type { Which } from "./recording.ts";
import type { Sound } from "./sound.ts";
import { Wave } from "./wave.tsx";

interface PlayerProps {
  readonly sound: Sound;
  readonly lines: readonly Line[];
  readonly parts: readonly number[];
  readonly looked: Pick<CallRoute, "find" | "words">;
  readonly onPart: (part: number) => void;
  /** Undefined until the muting code is loaded. */
  readonly muting: CallMuting | undefined;
}

export function Player({ sound, lines, parts, looked, onPart, muting }: PlayerProps) {
  const c = callWords();
  const isOpen = useSignal(false);
  usePlayerKeys(sound);
  useKeys({ h: muting?.muteLoop });
  const isSwapped = useSignal(false);
  const lanes = useLanes(sound, lines, isSwapped);
  const { value: obstacle } = sound.obstacle;
  if (obstacle !== undefined)
    return (
      <section class="player has-obstacle" aria-label={c.player}>
        <ObstacleNotice obstacle={obstacle} onRetry={sound.retry} />
      </section>
    );
  return (
    <section class={`player${isOpen.value ? " is-open" : ""}`} aria-label={c.player}>
      <div class="lanes">
        <LaneNames lanes={lanes.value} />
        <Wave
          sound={sound}
          lines={lines}
          lanes={lanes.value}
          hits={findHits(lines, looked)}
          muted={muting?.places.map(({ span }) => span) ?? []}
        />
      </div>
      <div class="controls">
        <Moving sound={sound} />
        <Listening sound={sound} muting={muting} />
        {lanes.value.length === 2 && (
          <div>
            <ChannelChoice sound={sound} names={lanes.value.map(({ name }) => name)} />
            <Levels
              sound={sound}
              names={lanes.value.map(({ name }) => name)}
              onSwap={() => (isSwapped.value = !isSwapped.value)}
            />
          </div>
        )}
        {parts.length > 1 && <Parts parts={parts} part={sound.which.part} onPart={onPart} />}
        <Volume isLast={parts.length === 1} />
        <button
          type="button"
          class="button quiet icon-only more"
          aria-label={c.more}
          title={c.more}
          aria-expanded={isOpen.value}
          onClick={() => (isOpen.value = !isOpen.value)}
        >
          <Icon name={isOpen.value ? "down" : "up"} />
        </button>
      </div>
    </section>
  );
}

interface SoundProps {
  readonly sound: Sound;
}

function LaneNames({ lanes }: { readonly lanes: readonly Lane[] }) {
  if (lanes.length < 2) return null;
  return (
    <ul aria-label={callWords().channels}>
      {lanes.map(({ name, lane }) => (
        <li key={name} class={`cut ${lane}`}>
          {name}
        </li>
      ))}
    </ul>
  );
}

function Moving({ sound }: SoundProps) {
  const c = callWords();
  return (
    <div class="first">
      <PlayButton sound={sound} />
      <IconButton
        icon="back"
        label={c.back5}
        shortcut="←"
        onClick={() => step(sound, -STEP_SECONDS)}
      />
      <IconButton icon="on" label={c.on5} shortcut="→" onClick={() => step(sound, STEP_SECONDS)} />
      <Clock sound={sound} />
    </div>
  );
}

function Listening({ sound, muting }: Pick<PlayerProps, "sound" | "muting">) {
  const c = callWords();
  return (
    <div>
      <Speed />
      <IconButton
        icon="skip"
        label={c.skipSilence}
        shortcut="S"
        isPressed={isSkipping.value}
        onClick={() => (isSkipping.value = !isSkipping.value)}
      />
      <IconButton
        icon="loop"
        label={c.repeatAb}
        shortcut="[ ] \"
        isPressed={sound.loop.value !== undefined}
        onClick={() => turnLoop(sound)}
      />
      {muting !== undefined && (
        <IconButton
          icon="hush"
          label={muting.words.muteAb}
          shortcut="H"
          onClick={muting.muteLoop}
        />
      )}
    </div>
  );
}

function Parts({
  parts,
  part,
  onPart,
}: Pick<PlayerProps, "parts" | "onPart"> & Pick<Which, "part">) {
  const c = callWords();
  return (
    <div class="choice last" role="group" aria-label={c.parts}>
      {parts.map((one, index) => (
        <button
          key={one}
          type="button"
          class="button quiet"
          aria-pressed={one === part}
          onClick={() => onPart(one)}
        >
          {c.part(index + 1)}
        </button>
      ))}
    </div>
  );
}

function Volume({ isLast }: { readonly isLast: boolean }) {
  const c = callWords();
  return (
    <div class={isLast ? "last" : ""}>
      <IconButton
        icon={isMuted.value ? "muted" : "volume"}
        label={c.mute}
        shortcut="M"
        isPressed={isMuted.value}
        onClick={() => (isMuted.value = !isMuted.value)}
      />
      <input
        class="volume"
        type="range"
        aria-label={c.volume}
        min={0}
        max={100}
        value={Math.round(volume.value * 100)}
        onInput={(event) => (volume.value = Number(event.currentTarget.value) / 100)}
      />
    </div>
  );
}

function PlayButton({ sound }: SoundProps) {
  const t = text.value;
  const button = useRef<HTMLButtonElement>(null);
  // If nothing has the focus, this button takes it, so that Space plays.
  useEffect(() => {
    if (document.activeElement === document.body && !isPlaying.peek())
      button.current?.focus({ preventScroll: true });
  }, []);
  const isOn = sound.isPlaying.value;
  const label = isOn ? t.pause : t.play;
  return (
    <button
      ref={button}
      type="button"
      class="button main icon-only"
      aria-label={label}
      title={`${label} (␣)`}
      aria-busy={sound.state.value === "loading"}
      onClick={sound.toggle}
    >
      <Icon name={isOn ? "pause" : "play"} />
    </button>
  );
}

/** Only its text changes while it plays. */
function Clock({ sound }: SoundProps) {
  const now = useComputed(() => showSeconds(sound.time.value));
  const all = useComputed(() => {
    const seconds = sound.length.value || sound.head.value?.sound?.seconds;
    return seconds ? showSeconds(seconds) : "–:––";
  });
  return (
    <span class="clock number">
      <b>{now}</b> / {all}
    </span>
  );
}

function Speed() {
  const c = callWords();
  return (
    <>
      <button
        type="button"
        class="button quiet speed number"
        popovertarget="speed"
        aria-label={c.speed(rate.value)}
        title={`${c.speed(rate.value)} (, .)`}
      >
        {rate.value}×
      </button>
      <div id="speed" class="menu" popover="auto" role="dialog" aria-label={c.speed(rate.value)}>
        {RATES.map((one) => (
          <button
            key={one}
            type="button"
            class="button quiet"
            aria-pressed={rate.value === one}
            onClick={() => {
              rate.value = one;
              closePopover("speed");
            }}
          >
            {one}×
          </button>
        ))}
      </div>
    </>
  );
}

/** Sets A first, then B, then clears both. */
function turnLoop({ loop, time }: Sound): void {
  if (loop.value === undefined) loop.value = { from: time.value, to: undefined };
  else if (loop.value.to === undefined && time.value > loop.value.from + 0.5)
    loop.value = { ...loop.value, to: time.value };
  else loop.value = undefined;
}
