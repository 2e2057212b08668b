// Sentences about recorded traffic: the share that was judged, the exchanges left out, and the paths of no operation.
import type { TrafficShare } from "@call-media/conformance";
import { toCounted } from "@call-media/terminal";

/** Maximum number of paths in a report; JSON has all. */
const MOST_PATHS = 10;

export interface TrafficWords {
  /** "305 of 309 recorded exchanges were judged, of 2 callers." */
  readonly judged: string;
  /** "4 CORS preflights: session.har log.entries[3], ..." */
  readonly leftOut: readonly string[];
  /** "GET /reports/{}: 12, of these 12 answered with success" */
  readonly unknown: readonly string[];
}

export function toTrafficWords({
  exchanges,
  judged,
  withoutBody,
  callers,
  leftOut,
  unknown,
}: TrafficShare): TrafficWords {
  const lacking =
    withoutBody === 0 ? "" : ` The recording lacks the complete body of ${withoutBody}.`;
  const further = unknown.slice(MOST_PATHS);
  return {
    judged: `${judged} of ${toCounted(exchanges, "recorded exchange")} judged, of ${toCounted(callers, "caller")} with credentials.${lacking}`,
    leftOut: leftOut.map(({ why, count, examples }) => {
      const more = count > examples.length ? ", ..." : "";
      return `${count} ${why}: ${examples.join(", ")}${more}`;
    }),
    unknown: [
      ...unknown.slice(0, MOST_PATHS).map(({ method, path, count, successes }) => {
        const told = successes === 0 ? "" : `, of these ${successes} answered with success`;
        return `${method} ${path}: ${count}${told}`;
      }),
      ...(further.length === 0 ? [] : [`${further.length} more, in --format json`]),
    ],
  };
}
