// What the one player of the page plays: it goes on whatever the page shows, until it is paused, closed or replaced.
import type { CallRecord } from "@call-media/client";
import { computed, signal } from "@preact/signals";
import type { Leg } from "../call/load.ts";
import type { Fault } from "../faults.ts";
import type { Sound } from "./sound.ts";

/** The record whose Play was pressed. Its recordings are looked for before there is a sound. */
export type Played =
  | { readonly record: CallRecord; readonly sound?: undefined; readonly fault?: Fault }
  | {
      readonly record: CallRecord;
      readonly sound: Sound;
      readonly leg: Leg;
      /** The seconds at which its search finds something. */
      readonly hits: readonly number[];
    };

/** Undefined closes the player. */
export const played = signal<Played | undefined>(undefined);
/** The sound that a call's page shows; undefined on every other page. */
export const shownSound = signal<Sound | undefined>(undefined);
/** True while a recording plays: a listener is not idle. */
export const isPlaying = computed(() => played.value?.sound?.isPlaying.value ?? false);
/** True if the next call to open plays at once: the listener goes on from hit to hit. */
export const playOnOpen = signal(false);
/** True while a hand-over is made: who waits for it is not idle. */
export const isBusy = signal(false);
