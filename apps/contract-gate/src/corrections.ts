// Corrections: changes of the document towards the service's actual behaviour. They break no client that worked.
import { type Finding, isObject } from "@call-media/contract-diff";

export interface Correction {
  /** The pointer of the finding, as the gate prints it. It covers one place, not the places below. */
  readonly pointer: string;
  /** Why the released document was wrong there, and the evidence for the service's actual behaviour. */
  readonly reason: string;
}

export interface Corrected {
  /** The findings; those in corrected places are lowered to prose. */
  readonly findings: readonly Finding[];
  /** Corrections of places without a finding beyond prose. */
  readonly stale: readonly Correction[];
}

/** Reads corrections.json. Throws an Error that names the entry and its fault. */
export function parseCorrections(text: string): Correction[] {
  const list: unknown = JSON.parse(text);
  if (!Array.isArray(list)) throw new Error("corrections.json must be a list");
  const corrections = list.map(parseCorrection);
  const repeated = corrections.find(
    ({ pointer }, at) => corrections.findIndex((other) => other.pointer === pointer) !== at,
  );
  if (repeated) throw new Error(`corrections.json has ${repeated.pointer} twice`);
  return corrections;
}

function parseCorrection(entry: unknown, at: number): Correction {
  const { pointer, reason, ...unknown } = isObject(entry) ? entry : {};
  const name = `entry ${at + 1} of corrections.json`;
  if (typeof pointer !== "string" || !pointer.startsWith("#/")) {
    throw new Error(`${name}: pointer must be a JSON Pointer that starts with #/`);
  }
  if (typeof reason !== "string" || reason.trim() === "") {
    throw new Error(`${name}: reason must say why the document was wrong`);
  }
  const [key] = Object.keys(unknown);
  if (key !== undefined) throw new Error(`${name}: ${key} is not a known key`);
  return { pointer, reason };
}

/** Lowers findings explained by a correction to prose. */
export function applyCorrections(
  findings: readonly Finding[],
  corrections: readonly Correction[],
): Corrected {
  const isBeyondProse = ({ rating }: Finding) => rating !== "prose";
  const covers = (correction: Correction, finding: Finding) =>
    isBeyondProse(finding) && finding.pointer === correction.pointer;
  return {
    findings: findings.map((finding) =>
      corrections.some((correction) => covers(correction, finding))
        ? { ...finding, rating: "prose", message: `${finding.message} (corrected)` }
        : finding,
    ),
    stale: corrections.filter(
      (correction) => !findings.some((finding) => covers(correction, finding)),
    ),
  };
}
