// Edits of a response that do not depend on the meaning of its body: status, headers, bytes.
import type { Answer, Mutate, ProxyRequest } from "../exchange.ts";

/** The same response with another body and its length. */
export function withBody(answer: Answer, content: Buffer | string): Answer {
  const written = Buffer.from(content);
  const length = { "content-length": String(written.length) };
  return { ...answer, headers: { ...answer.headers, ...length }, body: written };
}

type Headers = Readonly<Record<string, string | undefined>>;

/** The same response or request with these headers; undefined removes a header. */
export function withHeaders<Message extends { readonly headers: Answer["headers"] }>(
  message: Message,
  changes: Headers,
): Message {
  const merged = Object.entries({ ...message.headers, ...changes });
  const kept = merged.filter((entry): entry is [string, string] => entry[1] !== undefined);
  return { ...message, headers: Object.fromEntries(kept) };
}

export function isJson({ headers: found, body: content }: Answer): boolean {
  return content.length > 0 && (found["content-type"]?.startsWith("application/json") ?? false);
}

/** The errors that a checker can provoke. */
export const ERRORS = [400, 401, 403, 404, 405, 406, 413, 415, 416];

type Statuses = number | readonly number[];

/** Applies `mutate` only to responses with this status. */
export function when(statuses: Statuses, mutate: Mutate): Mutate {
  const wanted = new Set([statuses].flat());
  return (answer, request, upstream) =>
    wanted.has(answer.status) ? mutate(answer, request, upstream) : answer;
}

/** Applies `mutate` to responses to matching requests. */
export function whenAsked(fits: (request: ProxyRequest) => boolean, mutate: Mutate): Mutate {
  return (answer, request, upstream) =>
    fits(request) ? mutate(answer, request, upstream) : answer;
}

/** Changes the bytes of a response; one to HEAD has none. */
export function bytes(edit: (body: Buffer) => Buffer | string, statuses: Statuses = 200): Mutate {
  return when(statuses, (answer, { method }) =>
    method === "HEAD" ? answer : withBody(answer, edit(answer.body)),
  );
}

/** Applies edits one after the other. */
export function all(...edits: readonly Mutate[]): Mutate {
  return async (answer, ...asked) => {
    let changed = answer;
    for (const edit of edits) changed = await edit(changed, ...asked);
    return changed;
  };
}

export function status(from: Statuses, to: number): Mutate {
  return when(from, (answer) => ({ ...answer, status: to }));
}

/** Sets headers on responses with the status; undefined removes a header. */
export function headers(statuses: Statuses, changes: Headers): Mutate {
  return when(statuses, (answer) => withHeaders(answer, changes));
}

/** Removes headers from responses with the status. */
export function lost(statuses: Statuses, ...names: readonly string[]): Mutate {
  return when(statuses, withoutHeaders(...names));
}

/** Removes headers whatever the status. */
export function withoutHeaders(...names: readonly string[]): Mutate {
  const changes = Object.fromEntries(names.map((name) => [name, undefined]));
  return (answer) => withHeaders(answer, changes);
}

/** Rewrites a header if it is present. */
export function header(name: string, edit: (value: string) => string): Mutate {
  return (answer) => {
    const value = answer.headers[name];
    return value === undefined ? answer : withHeaders(answer, { [name]: edit(value) });
  };
}

/** Replaces the body and keeps the status. */
export function body(
  statuses: Statuses,
  content: string | ((answer: Answer) => string),
  type: string,
): Mutate {
  return when(statuses, (answer, { method }) => {
    const changed = withHeaders(answer, { "content-type": type });
    const text = typeof content === "string" ? content : content(answer);
    return method === "HEAD"
      ? withHeaders(changed, { "content-length": String(Buffer.byteLength(text)) })
      : withBody(changed, text);
  });
}

/** A response made up by the proxy. */
export function toJsonAnswer(answer: Answer, code: number, content: unknown): Answer {
  const type = { "content-type": "application/json; charset=utf-8" };
  return withBody(withHeaders({ ...answer, status: code }, type), JSON.stringify(content));
}

/** Responds with an error whatever is asked. */
export function refused(code: number, errorMessage: string): Mutate {
  return (answer) => toErrorAnswer(answer, code, errorMessage);
}

/** Responds with this envelope, or this JSON. */
export function answered(code: number, content: Readonly<Record<string, unknown>>): Mutate {
  return (answer) =>
    toJsonAnswer(answer, code, "data" in content ? { ...SUCCESS, ...content } : content);
}

const SUCCESS = { isError: false, errorMessage: null };

/** An error in the service's own format. */
export function toErrorAnswer(answer: Answer, code: number, errorMessage: string): Answer {
  return toJsonAnswer(answer, code, { isError: true, errorMessage, data: [] });
}
