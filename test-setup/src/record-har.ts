// Records what is sent through a `fetch` as a HAR 1.2 file, with complete bodies and all secrets, as a browser or a proxy does.

interface Pair {
  readonly name: string;
  readonly value: string;
}

/** The part of a HAR entry that readers need. */
export interface HarEntry {
  readonly startedDateTime: string;
  readonly time: number;
  readonly request: {
    readonly method: string;
    readonly url: string;
    readonly headers: readonly Pair[];
    readonly postData?: { readonly mimeType: string; readonly text: string };
  };
  readonly response: {
    readonly status: number;
    readonly statusText: string;
    readonly headers: readonly Pair[];
    readonly content: {
      readonly size: number;
      readonly mimeType: string;
      readonly text?: string;
      readonly encoding?: "base64";
    };
  };
}

export interface HarRecorder {
  readonly fetch: typeof fetch;
  readonly entries: HarEntry[];
}

export function createHarRecorder(send: typeof fetch = fetch): HarRecorder {
  const entries: HarEntry[] = [];
  return {
    entries,
    fetch: async (input, init) => {
      const [startedDateTime, startedMs] = [new Date().toISOString(), performance.now()];
      const response = await send(input, init);
      const bytes = Buffer.from(await response.clone().arrayBuffer());
      const { method = "GET", headers, body } = init ?? {};
      const sent = new Headers(headers);
      const text = typeof body === "string" ? body : undefined;
      const mimeType = response.headers.get("Content-Type") ?? "";
      entries.push({
        startedDateTime,
        time: performance.now() - startedMs,
        request: {
          method,
          url: input instanceof Request ? input.url : String(input),
          headers: toPairs(sent),
          ...(text !== undefined && {
            postData: { mimeType: sent.get("Content-Type") ?? "", text },
          }),
        },
        response: {
          status: response.status,
          statusText: response.statusText,
          headers: toPairs(response.headers),
          content: { size: bytes.length, mimeType, ...toContent(bytes, mimeType) },
        },
      });
      return response;
    },
  };
}

export const toHarText = (entries: readonly unknown[]): string =>
  JSON.stringify({
    log: { version: "1.2", creator: { name: "test", version: "1" }, pages: [], entries },
  });

const toPairs = (headers: Headers): Pair[] =>
  [...headers].map(([name, value]) => ({ name, value }));

function toContent(
  bytes: Buffer,
  mimeType: string,
): Pick<HarEntry["response"]["content"], "text" | "encoding"> {
  if (bytes.length === 0) return {};
  return /json|text|xml/.test(mimeType)
    ? { text: bytes.toString() }
    : { text: bytes.toString("base64"), encoding: "base64" };
}
