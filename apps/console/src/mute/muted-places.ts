// The places that hand-overs mute. The tab alone remembers them: the archive keeps its recordings as they came.
import type { CallSpan } from "@call-media/handover";
import { signal } from "@preact/signals";

/** A span, and whether somebody listened to it. */
export interface MutedPlace {
  readonly span: CallSpan;
  readonly isHeard: boolean;
  /** Set if it was to end behind the recording, as a proposal does that does not know how long it is. */
  readonly isToEnd?: true;
}

export const mutedPlaces = signal<readonly MutedPlace[]>([]);
