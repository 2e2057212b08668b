// Keyboard shortcuts of the player.
import { toLength } from "../call/length.ts";
import { useKeys } from "../ui/keys.ts";
import type { Heard } from "./channels.ts";
import { isPlaying, played } from "./playing.ts";
import { isMuted, isSkipping, rate, RATES, volume } from "./playback.ts";
import type { Sound } from "./sound.ts";

/** The step of keys and buttons, forward and back. */
export const STEP_SECONDS = 5;

const VOLUME_STEP = 0.1;

/** Moves by seconds, forward or back. */
export const step = (sound: Sound, by: number): void => sound.seek(sound.time.value + by);

function turnRate(by: number): void {
  const at = RATES.findLastIndex((one) => one <= rate.value);
  rate.value = RATES[Math.max(0, Math.min(RATES.length - 1, at + by))] ?? 1;
}

/** The keys control the sound that plays; if none does, the sound that the page shows. */
export function usePlayerKeys(shown: Sound): void {
  const { sound = shown } = isPlaying.value ? { sound: played.value?.sound } : {};
  const hear = (heard: Heard) => () => {
    if (sound.peaks.value?.channels.length === 2) sound.heard.value = heard;
  };
  const louder = (by: number) => () => (volume.value = Math.max(0, Math.min(1, volume.value + by)));
  useKeys({
    " ": sound.toggle,
    ArrowLeft: () => step(sound, -STEP_SECONDS),
    ArrowRight: () => step(sound, STEP_SECONDS),
    "Shift+ArrowLeft": () => step(sound, -1),
    "Shift+ArrowRight": () => step(sound, 1),
    "Alt+ArrowLeft": () => step(sound, -30),
    "Alt+ArrowRight": () => step(sound, 30),
    PageUp: () => step(sound, -30),
    PageDown: () => step(sound, 30),
    Home: () => sound.seek(0),
    // Before a recording is played, its length may not be known.
    End: () => sound.seek(toLength(sound) ?? sound.time.value),
    ArrowUp: louder(VOLUME_STEP),
    ArrowDown: louder(-VOLUME_STEP),
    ",": () => turnRate(-1),
    ".": () => turnRate(1),
    ";": () => (rate.value = 1),
    "[": () => (sound.loop.value = { from: sound.time.value, to: undefined }),
    "]": () => {
      const { value: loop } = sound.loop;
      if (loop !== undefined && sound.time.value > loop.from)
        sound.loop.value = { ...loop, to: sound.time.value };
    },
    "\\": () => (sound.loop.value = undefined),
    "1": hear(0),
    "2": hear(1),
    "0": hear("both"),
    m: () => (isMuted.value = !isMuted.value),
    s: () => (isSkipping.value = !isSkipping.value),
  });
}
