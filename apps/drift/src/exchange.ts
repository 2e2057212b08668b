// One request and its response as the proxy holds them: complete and editable.
import type { OperationId } from "@call-media/api";

export interface ProxyRequest {
  /** Undefined if path and method are not in the contract. A HEAD request belongs to the operation of its GET. */
  readonly operation: OperationId | undefined;
  readonly method: string;
  /** The requested path, without the query. */
  readonly pathname: string;
  /** The requested query, without the question mark. */
  readonly query: string;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

export interface Answer {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

/** The functions that a mutation uses to call the real service. */
export interface Upstream {
  readonly ask: (request: ProxyRequest) => Promise<Answer>;
  /** API key of the administrator, who may see everything. */
  readonly adminKey: string;
  /** A token that the service issued and that has expired. */
  readonly expiredToken: string;
}

/** Turns the true response to a request into the mutated one. */
export type Mutate = (
  answer: Answer,
  request: ProxyRequest,
  upstream: Upstream,
) => Answer | Promise<Answer>;

// These headers differ between two responses of the same service to the same request.
const OWN_TO_EACH_ANSWER = /^(?:date: .*GMT|x-request-id: [\da-f-]{36})$/;

/** True if a caller cannot distinguish the responses. A HEAD response has no body to compare. */
export function isSameAnswer(one: Answer, other: Answer): boolean {
  return (
    one.status === other.status &&
    one.body.equals(other.body) &&
    toLasting(one.headers) === toLasting(other.headers)
  );
}

function toLasting(headers: Answer["headers"]): string {
  const lasting = Object.entries(headers).map(([name, value]) => {
    const line = `${name}: ${value}`;
    return OWN_TO_EACH_ANSWER.test(line) ? name : line;
  });
  return lasting.toSorted((one, other) => one.localeCompare(other)).join("\n");
}
