// The input and the report of a check of an API.
import type { JsonObject } from "@call-media/contract-diff";
import type { FilePlace } from "@call-media/contract-diff/files";
import type { Note } from "./document/document.ts";
import type { ReceivedAnswer, Recorded, SentRequest } from "./http/exchanges.ts";
import type { SendOptions } from "./http/sender.ts";

/** The credentials of a caller: headers, and query parameters if a scheme has its key there. */
export interface Credentials {
  readonly headers: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string>>;
}

export interface ApiTarget {
  /** The URL that the paths of the document are relative to. */
  readonly baseUrl: string;
  /** The first caller, who sees most; empty for an API that needs no credentials. */
  readonly first?: Credentials;
  /** A caller with other or fewer rights: needed by `perCaller`. */
  readonly second?: Credentials;
  /** Credentials of the first caller that have expired: every operation has to refuse them. */
  readonly expired?: Credentials;
  /** Credentials of further security schemes of the document, by their names. */
  readonly schemes?: Readonly<Record<string, Credentials>>;
  /**
   * Request bodies by operation, for values that no document has: the secrets of a `signIn`. Without `first`, the first caller signs in with
   * them.
   */
  readonly bodies?: Readonly<Record<string, JsonObject>>;
  /** The body with which the second caller signs in. */
  readonly secondBody?: JsonObject;
  /** Sends the requests; default: the built-in `fetch`. */
  readonly fetch?: typeof fetch;
}

export interface ApiOptions extends SendOptions {
  /** Also sends requests that change something; default false. */
  readonly mayWrite?: boolean;
  /** A broken recommendation is a finding too; default false. */
  readonly isStrict?: boolean;
  /** Accept undocumented fields; default: from the relations. */
  readonly isOpen?: boolean;
  /** Kinds of relations, rules of the document, or operations to leave out. */
  readonly without?: readonly string[];
  /** Check and report only these operations; default: all. */
  readonly only?: readonly string[];
  /** Accept empty lists; default: from the relations. Otherwise an empty list makes the verdict `unable`. */
  readonly isEmptyOk?: boolean;
  /** The share of the possible clauses, 0 to 1, that must be proved for `kept`; default 0.6. */
  readonly floor?: number;
  /** Called for each distinct fault once it is certain. A caller who needs no more may abort the check by its `signal`. */
  readonly onFinding?: (finding: ApiFinding) => void;
}

/** A distinct fault. */
export interface ApiFinding {
  /** The clause, such as `page.size`, or the owner's id of it. */
  readonly requirement: string;
  /** The same in every run for the same fault; 16 hexadecimal digits. */
  readonly fingerprint: string;
  /** How often it occurred in this run; `sent` and `came` are from the first time. */
  readonly times: number;
  /** Id of the operation. */
  readonly operation: string;
  /** Other operations with the same fault; each of them has a finding of its own. */
  readonly alsoAt: readonly { readonly operation: string; readonly fingerprint: string }[];
  /** The clause as a sentence. */
  readonly says: string;
  /** The section, or the owner's line, that states it. */
  readonly source: string;
  /** The fault, in one sentence. */
  readonly fault: string;
  /** Place of the relation, or of the operation in the document; missing if a requirement states it. */
  readonly place?: FilePlace;
  readonly sent: SentRequest;
  readonly came?: ReceivedAnswer;
  /** Only for a check of recorded traffic: where it occurred first. */
  readonly recorded?: Recorded;
  /** A command that reproduces it, with placeholders such as `$FIRST_KEY` for the secrets. */
  readonly curl: string;
}

/** A clause that held, and a value that could have refuted it. */
export interface Proved {
  readonly requirement: string;
  readonly operation: string;
  readonly witness: string;
}

export interface Unproved {
  readonly requirement: string;
  readonly operation: string;
  readonly why: string;
}

/** An observation, which is not a finding. */
export interface Noted {
  readonly requirement: string;
  readonly operation: string;
  readonly observed: string;
}

/** The behaviour of the service where its interface leaves it open. */
export interface Observation {
  readonly decision: string;
  readonly question: string;
  readonly observed: string;
  /** What the decision says. */
  readonly ours: string;
  readonly agrees: boolean;
  readonly value: JsonValue;
}

export type JsonValue =
  | null
  | boolean
  | number
  | string
  | readonly JsonValue[]
  | { readonly [name: string]: JsonValue };

/** An operation without a successful response in the run. */
export interface UnseenOperation {
  readonly operation: string;
  readonly why: string;
  /** True if the verdict may be `kept` without it: it was left out, or its list may be empty. */
  readonly isExcused: boolean;
}

/** Things that the run created and did not delete. */
export interface Left {
  /** The operation that created them. */
  readonly operation: string;
  /** Their paths, or the identifying data in their responses. */
  readonly what: readonly string[];
  readonly why: string;
}

/** Descriptions of the drifts inserted into the run's own responses. */
export interface SelfTest {
  /** How many could be inserted. */
  readonly of: number;
  /** The drifts that the same run would have found. */
  readonly seen: readonly string[];
  readonly missed: readonly string[];
  /** Drifts that no recorded response could have. */
  readonly impossible: readonly string[];
  /** One drift in each field of a success, such as `listRows rows/*\/id`: lost, renamed, null, or of another type. */
  readonly fields: DriftShare;
  /** Query parameters of GET, such as `listRows limit`, each ignored. */
  readonly parameters: DriftShare;
  readonly operations: {
    readonly of: number;
    /** Ids of the operations into whose responses no drift could be inserted. */
    readonly unreached: readonly string[];
  };
}

/** Parts of a document, each made wrong once. */
export interface DriftShare {
  /** Parts whose drift the same run would have found. */
  readonly seen: readonly string[];
  readonly missed: readonly string[];
  /** Parts that could not be made wrong: no response shows them, or they permit any value. */
  readonly unreached: readonly string[];
}

/** How much of something was covered, and what was not. */
export interface Share {
  readonly seen: number;
  readonly of: number;
  readonly missing: readonly string[];
}

/** A list of values in the schema of a field. */
export interface ListedValues {
  /** Named after the first operation that returns it: `listRows rows/*\/status`. */
  readonly place: string;
  readonly seen: number;
  readonly of: number;
  readonly missing: readonly unknown[];
}

/** How much of the document the responses have covered. */
export interface ApiCoverage {
  /** Fields of successes that had two values: only these can reveal a wrong one. */
  readonly fields: Share;
  /** Query and path parameters with different responses for two values. */
  readonly parameters: Share;
  readonly values: readonly ListedValues[];
  /** Documented pairs of operation and status. */
  readonly statuses: Share;
}

/** Recorded exchanges that were not judged, or not completely. */
export interface LeftOut {
  /** The reason, such as "redirects" or "other hosts". */
  readonly why: string;
  readonly count: number;
  /** Up to three places or names of them. */
  readonly examples: readonly string[];
}

/** Requests to the service that no operation of the document describes. */
export interface UnknownPath {
  readonly method: string;
  /** Identifiers are shown as `{}`. */
  readonly path: string;
  readonly count: number;
  /** How many of them were answered with success: the service has something that the document does not name. */
  readonly successes: number;
}

/** What of recorded traffic was judged. */
export interface TrafficShare {
  /** All recorded exchanges. */
  readonly exchanges: number;
  /** Those of documented operations. */
  readonly judged: number;
  /** Judged exchanges without their body, because it is missing from the recording or truncated. */
  readonly withoutBody: number;
  /** Callers told apart by their credentials; without those who had none. */
  readonly callers: number;
  readonly leftOut: readonly LeftOut[];
  readonly unknown: readonly UnknownPath[];
}

export interface ApiReport {
  readonly baseUrl: string;
  /** File of the document, or the yardstick of its requirements. */
  readonly against: string;
  /** `unable`: not enough could be checked, and no fault was found. */
  readonly verdict: "kept" | "drift" | "unable";
  /** Why the verdict is `unable`, or why a check that found drift ended early. */
  readonly reason?: string;
  /** The scope of the verdict, in one sentence. */
  readonly headline: string;
  readonly findings: readonly ApiFinding[];
  readonly observations: readonly Noted[];
  /** Answers to the questions that the interface leaves open; empty if the relations name none. */
  readonly questions: readonly Observation[];
  /** The answers that programs can use. */
  readonly profile: Readonly<Record<string, unknown>>;
  readonly kept: readonly Proved[];
  readonly skipped: readonly Unproved[];
  readonly unseen: readonly UnseenOperation[];
  /** Contradictions within the document. */
  readonly notes: readonly Note[];
  /** Things that the run created and could not delete. */
  readonly left: readonly Left[];
  readonly operations: { readonly seen: number; readonly of: number };
  readonly coverage: ApiCoverage;
  /** Only for a check with a self-test. */
  readonly selfTest?: SelfTest;
  /** Only for a check of recorded traffic. */
  readonly traffic?: TrafficShare;
  /** Excludes the requests that delete the things that the run created. */
  readonly requests: number;
  readonly durationMs: number;
}
