// The gate: what a change of the document asks for, and what is missing.
import { findUntold, readChangesets } from "./changesets.ts";
import { compareDocuments } from "./compare.ts";
import { applyCorrections, type Correction } from "./corrections.ts";
import { toObject, type JsonObject } from "./json.ts";
import { greatestOf, type Finding, type Rating } from "./rating.ts";
import { fittingVersions } from "./version.ts";

export interface GateInput {
  /** The document last released; undefined before the first release. */
  readonly released: JsonObject | undefined;
  readonly working: JsonObject;
  readonly corrections: readonly Correction[];
  readonly changesetFolder: string;
}

export interface Verdict {
  /** The greatest rating of the findings, after corrections; undefined before the first release. */
  readonly least: Rating | undefined;
  readonly findings: readonly Finding[];
  /** Why the change may not pass, a sentence each; none when it may. */
  readonly faults: readonly string[];
}

/** Compares and judges. Throws an Error when a document, a version or a changeset cannot be read. */
export async function checkGate(input: GateInput): Promise<Verdict> {
  const { released, working, corrections, changesetFolder } = input;
  const found = released && (await compareDocuments(released, working)).findings;
  const { findings, stale } = applyCorrections(found ?? [], corrections);
  const faults = stale.map(
    ({ pointer }) =>
      `corrections.json: nothing beyond prose has changed at ${pointer}; take the entry out`,
  );
  if (released === undefined) return { least: undefined, findings, faults };
  const least = greatestOf(findings);
  const untold = findUntold(await readChangesets(changesetFolder), least);
  const unfit = findUnfitVersion(versionOf(released), versionOf(working), least);
  return {
    least,
    findings,
    faults: [...faults, unfit, untold].filter((fault) => fault !== undefined),
  };
}

/** `info.version` of a document. Throws an Error when it has none. */
export function versionOf(document: JsonObject): string {
  const { version } = toObject(document["info"]);
  if (typeof version !== "string") throw new Error("the document has no info.version");
  return version;
}

function findUnfitVersion(released: string, working: string, least: Rating): string | undefined {
  const fitting = fittingVersions(released, least);
  if (fitting.includes(working)) return undefined;
  const change = least === "none" ? "nothing has changed" : `the change is ${least}`;
  return `info.version is ${working}; ${released} was released and ${change}: it must be ${fitting.join(" or ")}`;
}
