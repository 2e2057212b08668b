// The state of the player that the rest of the page reads.
import type { CallRecord } from "@call-media/client";
import { signal } from "@preact/signals";
import type { Sound } from "./sound.ts";

/** True while a recording plays: a listener is not idle. */
export const isPlaying = signal(false);
/** True if the next call to open plays at once: its play button was pressed. */
export const playOnOpen = signal(false);
/** True while a bundle is made: who waits for it is not idle. */
export const isBusy = signal(false);

/** The call that plays below the list. */
export const listened = signal<CallRecord | undefined>(undefined);
/** Its sound, as soon as it is known which recording it is. */
export const listenedSound = signal<Sound | undefined>(undefined);
