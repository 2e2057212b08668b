// Input and output of a check.
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
  /** URL that the 15 paths are relative to, for example `https://archive.example.com`. */
  readonly baseUrl: string;
  readonly credentials?: Credentials;
  readonly apiKey?: string;
  /** A second caller with fewer rights. Their view is compared with that of the first caller. */
  readonly restricted?: Credentials | { readonly apiKey: string };
  /** A token that the service issued and that has expired: the service must refuse it. */
  readonly expiredToken?: string;
  /** Sends the requests; default: the built-in `fetch`. */
  readonly fetch?: typeof fetch;
}

export interface CheckOptions extends SendOptions {
  /**
   * `interface` (default) fails only on what the interface states; `decisions` also holds the
   * service to the decisions.
   */
  readonly against?: Yardstick;
  /** Limits findings and observations to these operations; default: all 15. */
  readonly only?: readonly OperationId[];
  /** Identifiers known to exist; they spare the search for some. */
  readonly hints?: Hints;
  /** Accept an archive without a call or a user. Default false: such an archive makes the verdict `unable`. */
  readonly isEmptyOk?: boolean;
  /** The part of the document, 0 to 1, that the run must have seen; default 0. Less makes the verdict `unable`. */
  readonly coverageFloor?: number;
  /** Called for each distinct fault as soon as it is found. A caller who needs no more may abort the check by its `signal`. */
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

/** A distinct fault: behaviour that differs from the yardstick. */
export interface Finding {
  /** Id of the requirement in the manifest. */
  readonly requirement: string;
  /** The same in every run for the same fault of a requirement and operation; 16 hexadecimal digits. */
  readonly fingerprint: string;
  /** How often it occurred in this run; `sent` and `came` are from the first time. */
  readonly times: number;
  readonly operation?: OperationId;
  /** What must hold. */
  readonly says: string;
  /** The line of the interface, verbatim, or the id of the decision, such as D07. */
  readonly source: string;
  /** What is wrong, in one sentence. */
  readonly fault: string;
  readonly sent: SentRequest;
  readonly came?: ReceivedAnswer;
  /** A command that reproduces it, with `$TOKEN` for the token. */
  readonly curl: string;
}

/** The behaviour of the service where the interface leaves it open. */
export interface Observation {
  readonly decision: string;
  readonly question: string;
  readonly observed: string;
  /** What the decision says. */
  readonly ours: string;
  readonly agrees: boolean;
  readonly value: JsonValue;
}

/** How much of the document the run has covered. */
export interface Coverage {
  /** Operations with a successful response. */
  readonly operations: Share;
  /** Documented pairs of operation and status, such as `listUsers 200`. */
  readonly statuses: Share;
  /** Fields of the records of a successful response that had a value other than null. */
  readonly fields: Share;
}

/** An operation without a successful response in the run. */
export interface Unseen {
  readonly operation: OperationId;
  readonly why: string;
  /** True if the check is not at fault: the archive provably holds nothing for it, or the caller provided no input for it. */
  readonly isExcused: boolean;
}

export interface Skipped {
  readonly requirement: string;
  readonly why: string;
}

export interface Report {
  readonly baseUrl: string;
  readonly against: Yardstick;
  /** `unable`: the service could not be checked, or not enough of it, and no fault was found. */
  readonly verdict: "kept" | "drift" | "unable";
  /** Why the verdict is `unable`, or why a check that found drift ended early. */
  readonly reason?: string;
  readonly findings: readonly Finding[];
  readonly observations: readonly Observation[];
  /** The observations that programs can use; the client accepts it. */
  readonly profile: ServiceProfile;
  readonly coverage: Coverage;
  readonly requests: number;
  readonly durationMs: number;
  /** The requested operations without a success. Any that is not excused turns `kept` into `unable`. */
  readonly unseen: readonly Unseen[];
  /** Requirements of this yardstick and the requested operations that could not be checked here. */
  readonly skipped: readonly Skipped[];
  /** Ids of the requirements of this yardstick that were checked and always held. */
  readonly kept: readonly string[];
}
