// What is answered in place of a success, and what every answer has.

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

/** The error envelope (D13). */
export function toRefusalAnswer({ status, message, headers }: Refusal): Response {
  return toJsonAnswer({ isError: true, errorMessage: message, data: [] }, { status, headers });
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
