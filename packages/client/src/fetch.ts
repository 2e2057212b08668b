// The function that sends requests, for programs that replace it.

/** The options of a request. They are simple enough for every `fetch`, including undici's. */
export interface FetchInit {
  readonly method: string;
  readonly headers: Record<string, string>;
  readonly body: string | null;
  readonly signal: AbortSignal;
  readonly redirect: "manual";
  readonly credentials?: "same-origin";
}

/**
 * Sends a request as the built-in `fetch` does, which undici and node-fetch do as well. It must honour `redirect` and
 * `signal`, and return a `Response` of the Fetch standard, whichever library made it.
 */
export type Fetch = (
  url: string,
  init: FetchInit,
) => Promise<{
  readonly status: number;
  readonly ok: boolean;
  readonly headers: { get(name: string): string | null };
  readonly body: object | null;
  text(): Promise<string>;
}>;
