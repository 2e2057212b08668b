// True while the user finds text in the rows; the bar for it is loaded later.
import { signal } from "@preact/signals";

export const isFinding = signal(false);
