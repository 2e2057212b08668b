// Chooses the reader of records: the archive itself, or a copy that lags behind (D31).
import type { Calls } from "@call-media/store";
import type { ResponseHeaders } from "../errors.ts";
import type { RequestHeaders } from "../request.ts";
import type { Request } from "./handler.ts";

export interface Reader {
  readonly calls: Pick<Calls, "byCallId" | "byReference" | "search">;
  /** The maximum lag of a copy in seconds: Age (RFC 9111, section 5.1). */
  readonly age: ResponseHeaders;
}

export function chooseReader({
  store: { calls, replica },
  request: { headers },
}: Pick<Request<"searchMetadata">, "store" | "request">): Reader {
  const lagMs = replica?.lagMs() ?? Infinity;
  if (replica === undefined || lagMs > Math.min(replica.maxLagMs, toMaxAgeMs(headers)))
    return { calls, age: {} };
  return { calls: replica.calls, age: { Age: Math.ceil(lagMs / 1_000) } };
}

/** The maximum age of a response by the request's Cache-Control (RFC 9111, section 5.2.1); browsers send 0 when they reload a page. */
function toMaxAgeMs({ "cache-control": value = "" }: RequestHeaders): number {
  const directives = String(value)
    .toLowerCase()
    .split(/[\s,]+/);
  if (directives.includes("no-cache")) return 0;
  const maxAge = directives.find((directive) => /^max-age=\d+$/.test(directive));
  return maxAge === undefined ? Infinity : Number(maxAge.slice("max-age=".length)) * 1_000;
}
