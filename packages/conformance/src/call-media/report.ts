// What a check is given and what it gives back.
import type { OperationId, ServiceProfile } from "@call-media/api";
import type { ReceivedAnswer, SentRequest } from "../http/exchanges.ts";
import type { SendOptions } from "../http/sender.ts";
import type { Share } from "../report.ts";

export interface Credentials {
  readonly secretID: string;
  readonly secretKey: string;
}

/** The service to check. One of `credentials` and `apiKey` is needed. */
export interface Target {
  /** Address that the 15 paths are relative to, for example `https://archive.example.com`. */
  readonly baseUrl: string;
  readonly credentials?: Credentials;
  readonly apiKey?: string;
  /** A second caller with fewer rights: what they see is compared with what the first one sees. */
  readonly restricted?: Credentials | { readonly apiKey: string };
  /** A token that was issued by the service and has expired: it must be refused. */
  readonly expiredToken?: string;
  /** What sends the requests; default: the built-in one. */
  readonly fetch?: typeof fetch;
}

export interface CheckOptions extends SendOptions {
  /**
   * `interface` (default) fails only on what the interface states; `decisions` also holds the
   * service to the decisions.
   */
  readonly against?: Yardstick;
  /** Findings and observations of these operations alone; default: all 15. */
  readonly only?: readonly OperationId[];
  /** Identifiers that are known to exist; they spare the search for them. */
  readonly hints?: Hints;
  /** An archive without a call or a user is what the service has; default false: it makes the verdict `unable`. */
  readonly isEmptyOk?: boolean;
  /** The part of the document, 0 to 1, that the run must have seen; default 0. Less makes the verdict `unable`. */
  readonly coverageFloor?: number;
  /** Each distinct fault as soon as it is found: whoever needs no more may end the check by its `signal`. */
  readonly onFinding?: (finding: Finding) => void;
}

export type Yardstick = "interface" | "decisions";

export interface Hints {
  readonly call_ids?: readonly string[];
  readonly ref_ids?: readonly string[];
  readonly chat_call_ids?: readonly string[];
}

export type JsonValue =
  | null
  | boolean
  | number
  | string
  | readonly JsonValue[]
  | { readonly [name: string]: JsonValue };

/** A distinct fault: something that the service does otherwise than the yardstick has it. */
export interface Finding {
  /** Id of the requirement in the manifest. */
  readonly requirement: string;
  /** The same in every run for the same fault of a requirement and operation; 16 hexadecimal digits. */
  readonly fingerprint: string;
  /** How often it was seen in this run; `sent` and `came` are of the first time. */
  readonly times: number;
  readonly operation?: OperationId;
  /** What must hold. */
  readonly says: string;
  /** The line of the interface, as it stands there, or the id of the decision, such as D07. */
  readonly source: string;
  /** What is wrong, in one sentence. */
  readonly fault: string;
  readonly sent: SentRequest;
  readonly came?: ReceivedAnswer;
  /** A command that shows it again, with `$TOKEN` for the token. */
  readonly curl: string;
}

/** What the service does where the interface leaves it open. */
export interface Observation {
  readonly decision: string;
  readonly question: string;
  readonly observed: string;
  /** What the decision says. */
  readonly ours: string;
  readonly agrees: boolean;
  readonly value: JsonValue;
}

/** How much of the document the run has seen. */
export interface Coverage {
  /** Operations with a successful answer. */
  readonly operations: Share;
  /** Documented pairs of operation and status, such as `listUsers 200`. */
  readonly statuses: Share;
  /** Fields of the records of a successful answer that came with another value than null. */
  readonly fields: Share;
}

/** An operation of which the run has not seen one success. */
export interface Unseen {
  readonly operation: OperationId;
  readonly why: string;
  /** Whether that is no lack of the check: the archive is proved to hold nothing for it, or the caller gave nothing to ask it by. */
  readonly isExcused: boolean;
}

export interface Skipped {
  readonly requirement: string;
  readonly why: string;
}

export interface Report {
  readonly baseUrl: string;
  readonly against: Yardstick;
  /** `unable`: the service could not be checked, or not enough of it, and nothing wrong was found. */
  readonly verdict: "kept" | "drift" | "unable";
  /** Why the verdict is `unable`, or why a check that found drift ended early. */
  readonly reason?: string;
  readonly findings: readonly Finding[];
  readonly observations: readonly Observation[];
  /** Those of the observations that programs can go by; the client takes it. */
  readonly profile: ServiceProfile;
  readonly coverage: Coverage;
  readonly requests: number;
  readonly durationMs: number;
  /** Of the operations that were asked for, those without one success. Any that is not excused makes `kept` `unable`. */
  readonly unseen: readonly Unseen[];
  /** Requirements of this yardstick, and of the operations asked for, that could not be checked here. */
  readonly skipped: readonly Skipped[];
  /** Ids of the requirements of this yardstick that were looked at and held wherever they were. */
  readonly kept: readonly string[];
}
