// Ways to ask for the same thing: what is unusual about a request, or wrong with it.
import type { Sent } from "./face.ts";

export interface Variant {
  readonly isHead?: boolean;
  readonly headers?: Readonly<Record<string, string>>;
  readonly query?: string;
}

/** None of them may be found sooner or later because something is hidden. */
export const VARIANTS: readonly Variant[] = [
  {},
  { isHead: true },
  { headers: { Range: "bytes=1-3" } },
  { headers: { Range: "bytes=1-3" }, isHead: true },
  { headers: { Range: "bytes=3-1" } },
  { headers: { Range: "bytes=nonsense" } },
  { headers: { Range: "bytes=100000-" } },
  { headers: { Range: "bytes=1-3", "If-Range": '"another"' } },
  { headers: { "If-None-Match": "*" } },
  { headers: { "If-None-Match": '"another"' } },
  { headers: { Accept: "text/html" } },
  { headers: { Accept: "audio/mpeg" } },
  { query: "part=2" },
  { query: "part=0" },
  { query: "part=10001" },
  { query: "part=first" },
  { query: "part=1&part=1" },
];

export function vary({ method, path, headers, body }: Sent, variant: Variant): Sent {
  return {
    method: variant.isHead === true && method === "GET" ? "HEAD" : method,
    path: variant.query === undefined ? path : path.replace(/part=\d+/, variant.query),
    headers: { ...headers, ...variant.headers },
    body,
  };
}
