// How much of a document the drifts reach, and which of them a run would have found.
import type { ApiFinding, DriftShare } from "../report.ts";
import type { Scene } from "./drifts.ts";
import type { Taped } from "./tape.ts";

/** Replays the run on changed responses. Returns the findings that the run itself did not have: the first, or all. */
export type Replay = (
  change: (scene: Scene) => Taped | undefined,
  isOneEnough?: boolean,
) => Promise<readonly ApiFinding[]>;

export function toDriftShare(
  names: readonly string[],
  { reached, seen }: { readonly reached: ReadonlySet<string>; readonly seen: ReadonlySet<string> },
): DriftShare {
  return {
    seen: names.filter((name) => reached.has(name) && seen.has(name)),
    missed: names.filter((name) => reached.has(name) && !seen.has(name)),
    unreached: names.filter((name) => !reached.has(name)),
  };
}
