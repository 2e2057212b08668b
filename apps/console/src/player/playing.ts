// What the rest of the page knows of the player.
import { signal } from "@preact/signals";

/** Whether anything plays: a listener is not idle. */
export const isPlaying = signal(false);
/** Whether the next call that is opened plays at once, because that was what was pressed. */
export const playOnOpen = signal(false);
