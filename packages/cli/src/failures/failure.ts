// Turns an error into a message for the user: what happened, and what to do next.
import { type CallMediaError, isCallMediaError } from "@call-media/client";
import { cutText } from "@call-media/handover";
import { FAILED, UNABLE } from "../exit-codes.ts";
import { toPrintable, UsageError } from "@call-media/terminal";
import { CommandFailure } from "./command-failure.ts";
import { toSystemReason } from "./system-error.ts";
import { toUnreachable } from "./unreachable.ts";

export interface Failure {
  readonly code: number;
  /** A sentence, or an unexpected error to show with its stack. */
  readonly shown: unknown;
}

const ADDRESS = "is --base-url the address of a Call Media Retrieval Service?";

/** The next step, by code or name of the client's error. */
const ADVICE: Readonly<Record<string, string>> = {
  CLIENT_WORDS_NOT_APPLIED:
    "leave --words out, or find the calls with call-media search --words and export them with --ids",
  AuthenticationError:
    "call-media whoami shows whose credentials these are, call-media login saves others",
  PermissionError: "ask the operator of the archive for this right",
  InvalidRequestError: "the service rejects this request",
  RateLimitError: "too many requests: try again later",
  ServiceError: "the service failed: try again later",
  // Commands report a missing recording themselves.
  NotFoundError: ADDRESS,
  ProtocolError: `${ADDRESS} If it is, tell its operator`,
  TimeoutError: "the service is slow: try again later",
};

export function toFailure(error: unknown): Failure {
  if (error instanceof UsageError) return { code: UNABLE, shown: error.message };
  if (error instanceof CommandFailure) return { code: FAILED, shown: toPrintable(error.message) };
  if (isCallMediaError(error)) return toClientFailure(error);
  const isOfSystem = error instanceof Error && "syscall" in error;
  return { code: UNABLE, shown: isOfSystem ? toSystemSentence(error) : error };
}

function toSystemSentence(error: Error): string {
  const reason = toSystemReason(error);
  return reason === undefined ? error.message : `${reason} (${error.message})`;
}

function toClientFailure(error: CallMediaError): Failure {
  // The cause says what stopped the call.
  if (isCallMediaError(error, "AbortError") && error.cause instanceof UsageError)
    return toFailure(error.cause);
  return { code: FAILED, shown: toSentence(error) };
}

/** Maximum number of characters: a long message of the service must not displace the advice. */
const MAX_SAID = 500;

/** The message of the service, the advice, and the request id that its operator needs. `next` replaces the advice for the error. */
export function toSentence(error: CallMediaError, next?: string): string {
  const isUnreachable = isCallMediaError(error, "ConnectionError");
  const { reason, advice } = isUnreachable
    ? toUnreachable(error.cause)
    : { reason: "", advice: ADVICE[error.code] ?? ADVICE[error.name] };
  const message = reason
    ? `${error.method} ${error.path}: no complete answer came (${reason})`
    : error.message;
  const said = cutText(
    toPrintable(message).replaceAll(/\s+/g, " "),
    MAX_SAID,
    (text) => text.length,
  );
  const status = error.status === undefined ? "" : ` (${error.status} of ${error.operationId})`;
  const step = next ?? advice;
  const request = error.requestId === undefined ? "" : `; request ${toPrintable(error.requestId)}`;
  return `${said}${status}${step === undefined ? "" : `: ${step}`}${request}`;
}
