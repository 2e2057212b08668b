// What was observed where the interface leaves it open, as a file: for the client, and to be read by people.
import type { Report } from "@call-media/conformance";

/** The profile that the client takes, and beside it all observations with the decisions they are compared with. */
export function toProfile({ profile, observations }: Report): string {
  return JSON.stringify({ ...profile, observations }, undefined, 2);
}
