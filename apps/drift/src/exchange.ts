// One request and its answer as the proxy holds them, whole and open to change.
import type { OperationId } from "@call-media/api";

export interface ProxyRequest {
  /** undefined: no path and method of the contract. A HEAD request belongs to the operation of its GET. */
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

/** The functions of a mutation to use the real service. */
export interface Upstream {
  readonly ask: (request: ProxyRequest) => Promise<Answer>;
  /** API key of the administrator, who may see everything. */
  readonly adminKey: string;
  /** A token that the service issued and that has expired. */
  readonly expiredToken: string;
}

/** From the true answer to a request to the one that is given in its place. */
export type Mutate = (
  answer: Answer,
  request: ProxyRequest,
  upstream: Upstream,
) => Answer | Promise<Answer>;

// What differs between two answers to the same request of the same service.
const OWN_TO_EACH_ANSWER = /^(?:date: .*GMT|x-request-id: [\da-f-]{36})$/;

/** True if a caller can distinguish the answers. A body that a HEAD request does not get has no part in it. */
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
