// Reasons why a recording cannot be heard.
import type { Fault } from "../faults.ts";

/** The page has a sentence for each. */
export type Obstacle =
  | {
      readonly kind: "no-right" | "missing" | "ambiguous" | "damaged" | "other-bytes" | "too-large";
    }
  | { readonly kind: "codec"; readonly codec: string }
  | { readonly kind: "fault"; readonly fault: Fault };

export function toObstacle(fault: Fault): Obstacle {
  if (fault.kind === "forbidden") return { kind: "no-right" };
  if (fault.kind === "missing") return { kind: "missing" };
  return fault.kind === "unavailable" && fault.retryAfterSeconds === undefined
    ? { kind: "damaged" }
    : { kind: "fault", fault };
}
