// The state of the player that the rest of the page reads.
import { signal } from "@preact/signals";

/** True while a recording plays: a listener is not idle. */
export const isPlaying = signal(false);
/** True if the next call to open plays at once: its play button was pressed. */
export const playOnOpen = signal(false);
/** True while a hand-over is made: who waits for it is not idle. */
export const isBusy = signal(false);
