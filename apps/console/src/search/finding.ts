// Whether somebody finds text in the rows; the bar to do so is loaded later.
import { signal } from "@preact/signals";

export const isFinding = signal(false);
