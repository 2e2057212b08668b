// The part of a report that all formats use.
import type {
  ApiCoverage,
  ApiFinding,
  ApiReport,
  Left,
  Observation,
  SelfTest,
  TrafficShare,
} from "@call-media/conformance";

export interface CheckedFinding extends Omit<ApiFinding, "operation" | "alsoAt"> {
  readonly operation?: string;
  readonly alsoAt?: ApiFinding["alsoAt"];
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
  /** The subject of the verdict. */
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
  /** Only for recorded traffic: what of it was judged. */
  readonly traffic?: TrafficShare;
  /** Operations with a success. */
  readonly operations?: ApiReport["operations"];
  /** How much of the document was seen. */
  readonly shown?: ApiCoverage;
  /** False if no relation says what holds between answers. */
  readonly hasRules?: boolean;
  /** Answers to the questions that the interface leaves open. */
  readonly questions?: readonly Observation[];
  readonly requests: number;
  readonly durationMs: number;
}
