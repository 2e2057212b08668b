// What a check of an API is given and what it gives back.
import type { JsonObject } from "@call-media/contract-diff";
import type { FilePlace } from "@call-media/contract-diff/files";
import type { ApiDocument, Note } from "./document/document.ts";
import type { ReceivedAnswer, SentRequest } from "./http/exchanges.ts";
import type { SendOptions } from "./http/sender.ts";
import type { Relations } from "./relations/relations.ts";

/** What says who asks: the headers, and query parameters if a scheme has its key there. */
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
  /** Credentials of further security schemes of the document, by their names. */
  readonly schemes?: Readonly<Record<string, Credentials>>;
  /** Bodies that no document can tell, by operation: those with which `signIn` gets tokens. */
  readonly bodies?: Readonly<Record<string, JsonObject>>;
  /** What sends the requests; default: the built-in one. */
  readonly fetch?: typeof fetch;
}

export interface ApiOptions extends SendOptions {
  /** Sends requests that change something as well; default false. */
  readonly mayWrite?: boolean;
  /** What is only recommended is a finding too; default false. */
  readonly isStrict?: boolean;
  /** Undocumented fields are no finding; default: what the relations say. */
  readonly isOpen?: boolean;
  /** Kinds of relations, rules of the document, or operations, that are left out. */
  readonly without?: readonly string[];
  /** Lists without a row are what the service has; default: what the relations say. Else they make the verdict `unable`. */
  readonly isEmptyOk?: boolean;
  /** The part of the possible clauses, 0 to 1, that has to be proved for `kept`; default 0.6. */
  readonly floor?: number;
}

export interface ApiCheck {
  readonly document: ApiDocument;
  readonly relations: Relations;
  readonly target: ApiTarget;
  readonly options?: ApiOptions;
}

/** A distinct fault. */
export interface ApiFinding {
  /** The clause, such as `page.size`, or the owner's id of it. */
  readonly requirement: string;
  /** The same in every run for the same fault; 16 hexadecimal digits. */
  readonly fingerprint: string;
  /** How often it was seen in this run; `sent` and `came` are of the first time. */
  readonly times: number;
  /** Id of the operation. */
  readonly operation: string;
  /** Other operations with the same fault; each of them has a finding of its own. */
  readonly alsoAt: readonly { readonly operation: string; readonly fingerprint: string }[];
  /** What must hold. */
  readonly says: string;
  /** The section, or the owner's line, that says it. */
  readonly source: string;
  /** What is wrong, in one sentence. */
  readonly fault: string;
  /** Of the relation, or of the operation in the document. */
  readonly place: FilePlace;
  readonly sent: SentRequest;
  readonly came?: ReceivedAnswer;
  /** A command that shows it again, with `$FIRST_KEY` and the like for the secrets. */
  readonly curl: string;
}

/** A clause that held, and what could have refuted it. */
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

/** What was seen and is no finding. */
export interface Noted {
  readonly requirement: string;
  readonly operation: string;
  readonly observed: string;
}

/** An operation of which the run has not seen one success. */
export interface UnseenOperation {
  readonly operation: string;
  readonly why: string;
  /** Whether `kept` may be said without it: it was not to be asked, or its list may be empty. */
  readonly isExcused: boolean;
}

/** Things that the run created and that are still there. */
export interface Left {
  /** That created them. */
  readonly operation: string;
  /** Their paths, or what their answers show of their identity. */
  readonly what: readonly string[];
  readonly why: string;
}

/** Drifts that were put into the run's own answers, in words. */
export interface SelfTest {
  /** How many could be put in. */
  readonly of: number;
  /** Those that the same run would have found. */
  readonly seen: readonly string[];
  readonly missed: readonly string[];
  /** Those for which no answer was there. */
  readonly impossible: readonly string[];
}

export interface ApiReport {
  readonly baseUrl: string;
  /** File of the document. */
  readonly against: string;
  /** `unable`: not enough could be checked, and nothing wrong was found. */
  readonly verdict: "kept" | "drift" | "unable";
  /** Why the verdict is `unable`, or why a check that found drift ended early. */
  readonly reason?: string;
  /** What the verdict speaks of, in one sentence. */
  readonly headline: string;
  readonly findings: readonly ApiFinding[];
  readonly observations: readonly Noted[];
  readonly kept: readonly Proved[];
  readonly skipped: readonly Unproved[];
  readonly unseen: readonly UnseenOperation[];
  /** Where the document contradicts itself. */
  readonly notes: readonly Note[];
  /** What the run created and could not delete again. */
  readonly left: readonly Left[];
  readonly operations: { readonly seen: number; readonly of: number };
  /** Of a check with a self-test. */
  readonly selfTest?: SelfTest;
  /** Without those that delete what the run created: they come on top. */
  readonly requests: number;
  readonly durationMs: number;
}
