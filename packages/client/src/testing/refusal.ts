// What is answered in place of a success, in the words of the service, and what every answer has.
import type { Fault } from "../schema-faults.ts";

/** An answer of 400 or above: thrown wherever it is found out, and made an envelope in one place. */
export class Refusal extends Error {
  override readonly name = "Refusal";
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;

  constructor(status: number, message: string, headers: Readonly<Record<string, string>>) {
    super(message);
    this.status = status;
    this.headers = headers;
  }
}

/** `message` is the errorMessage of the envelope (D13). */
export function refuse(
  status: number,
  message: string,
  headers: Readonly<Record<string, string>> = {},
): Refusal {
  return new Refusal(status, message, headers);
}

/** What is wrong with the value that `name` has. */
export function toSentence(name: string, { expected }: Fault): string {
  if (expected === "text that is not empty") return `${name} must not be empty`;
  return `${name} must ${expected.startsWith("text of ") ? expected.replace("text of", "have") : `be ${expected}`}`;
}

/** What is wrong with a body. */
export function toBodySentence(fault: Fault): string {
  const { pointer, expected, received } = fault;
  const name = pointer.slice(1);
  if (name === "" && received === "another object")
    return "The body must name at least one filter field";
  if (name === "") return "The body must be a JSON object";
  if (received === "nothing") return `${name} is required`;
  return expected === "nothing" ? `${name} is not a known field` : toSentence(name, fault);
}

// The service has more codes, some for each status.
const CODES: Readonly<Record<number, string>> = {
  400: "CM_PARAMETER_INVALID",
  401: "CM_TOKEN_UNKNOWN",
  403: "CM_DOWNLOAD_NOT_ALLOWED",
  404: "CM_RECORDING_UNKNOWN",
  405: "CM_METHOD_NOT_ALLOWED",
  406: "CM_NOT_ACCEPTABLE",
  413: "CM_BODY_TOO_LARGE",
  415: "CM_MEDIA_TYPE_UNSUPPORTED",
  416: "CM_RANGE_NOT_SATISFIABLE",
  429: "CM_RATE_LIMITED",
  503: "CM_UNAVAILABLE",
};

/** The error envelope and its code (D13). */
export function toRefusalAnswer({ status, message, headers }: Refusal): Response {
  const code = CODES[status] ?? "CM_INTERNAL";
  return toJsonAnswer(
    { isError: true, errorMessage: message, data: [] },
    { status, headers: { "X-Error-Code": code, ...headers } },
  );
}

export function toJsonAnswer(
  body: unknown,
  { status = 200, headers = {} }: JsonHead = {},
): Response {
  return new Response(JSON.stringify(body), {
    status,
    headers: {
      ...headers,
      ...toCommonHeaders(),
      "Content-Type": "application/json; charset=utf-8",
    },
  });
}

interface JsonHead {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Headers that every answer has. */
export const toCommonHeaders = (): Record<string, string> => ({
  "X-Request-Id": crypto.randomUUID(),
  "Cache-Control": "no-store",
  "X-Content-Type-Options": "nosniff",
});
