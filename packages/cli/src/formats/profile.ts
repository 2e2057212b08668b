// What was observed where the interface leaves it open, as a file for programs.
import type { Report } from "@call-media/conformance";

/** The observations of a run, their values under the decision that answers the same question. */
export function toProfile({ baseUrl, observations }: Report): string {
  return `${JSON.stringify({ baseUrl, observations }, undefined, 2)}\n`;
}
