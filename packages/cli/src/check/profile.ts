// Writes the observed behaviour of a service where the interface is silent, for the client and for people.
import type { ApiReport } from "@call-media/conformance";

/** The profile for the client, with the answers to open questions and their decisions. An API without open questions gets its observations. */
export function toProfile({ profile, questions, observations }: ApiReport): string {
  return JSON.stringify(
    { ...profile, observations: questions.length > 0 ? questions : observations },
    undefined,
    2,
  );
}
