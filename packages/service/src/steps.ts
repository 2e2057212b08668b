// The values that a request becomes on its way. Each has the facts of the one before, and nothing that is still unknown.
import type { Caller } from "./access/access.ts";
import type { Facts } from "./answer.ts";
import type { ResponseHeaders } from "./errors.ts";
import type { parseInput } from "./input.ts";
import type { JsonResult, MediaResult } from "./operations/handler.ts";
import type { ServiceRequest } from "./request.ts";
import type { Match } from "./routes.ts";

/** Nothing is known yet. */
export interface Received {
  readonly request: ServiceRequest;
}

/** Its operation is known. */
export type Matched = Received & Match;

/** The caller is known. */
export interface Authenticated extends Matched {
  /** Undefined only for POST /Token. */
  readonly caller: Caller | undefined;
}

type Input = ReturnType<typeof parseInput>;

/** The input was validated against the contract. */
export interface Parsed extends Authenticated {
  readonly input: Input;
  /** The caller's remaining quota. */
  readonly limits: ResponseHeaders | undefined;
}

export type Result = MediaResult | JsonResult<"listPublicFlags">;

/** The result of the operation. */
export interface Answered extends Parsed {
  readonly result: Result;
}

export type Step = Received | Matched | Authenticated | Parsed | Answered;

/** The facts for logs and metrics about a request that came this far. */
export function toFacts(step: Step): Pick<Facts, "operationId" | "userId" | "isSession"> {
  const caller = "caller" in step ? step.caller : undefined;
  return {
    operationId: "route" in step ? step.route.operationId : undefined,
    userId: caller?.user.id,
    isSession: caller?.session !== undefined,
  };
}
