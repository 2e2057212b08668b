// The sound of the page's only player. It continues whatever the page shows, until it is paused, closed or replaced.
import type { CallRecord } from "@call-media/client";
import { computed, signal } from "@preact/signals";
import type { Leg } from "../call/load.ts";
import type { Fault } from "../faults.ts";
import type { Sound } from "./sound.ts";

/** The record whose Play was pressed. Its recordings are looked up before there is a sound. */
export type Played =
  | { readonly record: CallRecord; readonly sound?: undefined; readonly fault?: Fault }
  | {
      readonly record: CallRecord;
      readonly sound: Sound;
      readonly leg: Leg;
      /** The seconds of the hits of its search. */
      readonly hits: readonly number[];
    };

/** Undefined closes the player. */
export const played = signal<Played | undefined>(undefined);
/** The sound that a call's page shows; undefined on every other page. */
export const shownSound = signal<Sound | undefined>(undefined);
/** True while a recording plays: a listener is not idle. */
export const isPlaying = computed(() => played.value?.sound?.isPlaying.value ?? false);
/** True if the next opened call should play immediately, because the listener moves from hit to hit. */
export const playOnOpen = signal(false);
/** True while a hand-over is created: a user who waits for it is not idle. */
export const isBusy = signal(false);
