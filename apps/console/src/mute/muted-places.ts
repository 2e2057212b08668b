// The places that hand-overs mute. Only the tab remembers them, and the recordings of the archive stay unchanged.
import type { CallSpan } from "@call-media/handover";
import { signal } from "@preact/signals";

/** A span, with a mark if the user listened to it. */
export interface MutedPlace {
  readonly span: CallSpan;
  readonly isHeard: boolean;
  /** Set if it was to end behind the recording, as a proposal does that does not know how long it is. */
  readonly isToEnd?: true;
}

export const mutedPlaces = signal<readonly MutedPlace[]>([]);
