// Writes the observed behaviour of a service where the interface is silent, for the client and for people.
import type { ApiReport } from "@call-media/conformance";

/** The profile for the client, and the answers to open questions with their decisions. Of an API without such questions, what was observed. */
export function toProfile({ profile, questions, observations }: ApiReport): string {
  return JSON.stringify(
    { ...profile, observations: questions.length > 0 ? questions : observations },
    undefined,
    2,
  );
}
