// What a labelled edit is: a change of our own document of which a person has said how much it asks of a client.
import type { Rating } from "@call-media/contract-diff";
import type { Step } from "./steps.ts";

export interface LabelledEdit {
  /** Unique, in words: `response-status-removed`. */
  readonly id: string;
  /** The edit, on the parsed document. */
  readonly steps: readonly Step[];
  /** What it asks of a client, by judgement and not by running the gate. */
  readonly expected: Exclude<Rating, "none">;
}
