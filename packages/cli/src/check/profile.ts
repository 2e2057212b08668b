// Writes the observed behaviour of a service where the interface is silent, for the client and for people.
import type { Report } from "@call-media/conformance";

/** The profile for the client, and all observations with their decisions. */
export function toProfile({ profile, observations }: Report): string {
  return JSON.stringify({ ...profile, observations }, undefined, 2);
}
