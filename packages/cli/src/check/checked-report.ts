// The part of a report that all formats use, for Call Media and for any other API.
import type {
  ApiCoverage,
  Coverage,
  Finding,
  Left,
  Observation,
  SelfTest,
} from "@call-media/conformance";
import type { FilePlace } from "@call-media/contract-diff/files";

export interface CheckedFinding extends Omit<Finding, "operation"> {
  readonly operation?: string;
  /** The place of the relation or operation, if the check knows it. */
  readonly place?: FilePlace;
  readonly alsoAt?: readonly { readonly operation: string; readonly fingerprint: string }[];
}

/** A known difference that no longer occurs. */
export interface StaleEntry {
  readonly requirement: string;
  readonly operation?: string;
  readonly fault?: string;
  readonly reason: string;
}

export interface CheckedReport {
  readonly baseUrl: string;
  /** The yardstick, or the file of the document. */
  readonly against: string;
  readonly verdict: "kept" | "drift" | "unable";
  readonly reason?: string;
  /** The subject of the verdict, for other APIs than Call Media. */
  readonly headline?: string;
  readonly findings: readonly CheckedFinding[];
  readonly expected: readonly (CheckedFinding & { readonly reason: string })[];
  readonly stale: readonly StaleEntry[];
  readonly skipped: readonly { readonly requirement: string; readonly why: string }[];
  /** Names of the requirements that were checked and held. */
  readonly kept: readonly string[];
  readonly unseen: readonly {
    readonly operation: string;
    readonly why: string;
    readonly isExcused: boolean;
  }[];
  /** Things that the check created and could not delete. */
  readonly left?: readonly Left[];
  readonly selfTest?: SelfTest;
  /** How much of Call Media's document was seen. */
  readonly coverage?: Coverage;
  /** How much of the document of another API was seen. */
  readonly shown?: ApiCoverage;
  /** Answers to the questions that Call Media's interface leaves open. */
  readonly observations?: readonly Observation[];
  readonly requests: number;
  readonly durationMs: number;
}
