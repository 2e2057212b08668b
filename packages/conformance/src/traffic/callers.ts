// Tells the callers of recorded requests apart, by a keyed hash of their credentials that is never shown.
import { createHmac, randomBytes } from "node:crypto";
import type { Caller } from "../ask.ts";
import type { ApiDocument } from "../document/document.ts";
import { listHeaders, type TrafficEntry } from "./entry.ts";

export interface Callers {
  /** Null if the request has no credentials. */
  readonly identify: (entry: TrafficEntry, url: URL) => Caller | null;
  readonly count: () => number;
}

const ALWAYS = ["authorization", "proxy-authorization", "cookie"];

export function createCallers({ schemes }: ApiDocument): Callers {
  const key = randomBytes(32);
  const known = new Set<string>();
  const namesIn = (where: string) =>
    [...schemes.values()].filter((one) => one.in === where).map((one) => one.key.toLowerCase());
  const [headers, parameters] = [new Set([...ALWAYS, ...namesIn("header")]), namesIn("query")];
  const inQuery = new Set(parameters);
  return {
    count: () => known.size,
    identify: ({ request }, { searchParams }) => {
      const sent = listHeaders(request.headers).filter(([name]) => headers.has(name.toLowerCase()));
      const query = [...searchParams].filter(([name]) => inQuery.has(name.toLowerCase()));
      if (sent.length === 0 && query.length === 0) return null;
      const lines = sent.map(([name, value]) => `${name.toLowerCase()}: ${value}`);
      const text = JSON.stringify([lines.toSorted((one, other) => (one < other ? -1 : 1)), query]);
      const name = createHmac("sha256", key).update(text).digest("hex");
      known.add(name);
      const written = sent.map(([header, value]) => [toSpelling(header), value] as const);
      return { name, headers: Object.fromEntries(written), query: Object.fromEntries(query) };
    },
  };
}

/** The rules on credentials need this spelling; HTTP/2 has all names in lower case. */
export const toSpelling = (name: string): string =>
  name.toLowerCase() === "authorization" ? "Authorization" : name;
