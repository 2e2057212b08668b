// Requests that succeed: 200, and for recordings also 206 and 304.
import type { Route } from "@call-media/api";
import type { Input } from "./input.ts";
import type { Case } from "./service-case.ts";
import type { CallerName } from "./world.ts";

const CALLERS: readonly CallerName[] = ["administrator", "restricted user", "API key"];

export function toSuccessCases(route: Route): Case[] {
  return [...toUsual(route), ...toSearches(route), ...toStreams(route)];
}

function toUsual({ method, needsCredentials }: Route): Case[] {
  const usual = { status: 200, isRight: true, isFilled: true };
  return [
    ...(needsCredentials ? CALLERS : CALLERS.slice(0, 1)).map((caller) => ({
      ...usual,
      title: `a right request of the ${caller}`,
      caller,
    })),
    ...(method === "GET" ? [{ title: "HEAD", status: 200, isHead: true }] : []),
  ];
}

function toSearches({ operationId, parameters }: Route): Case[] {
  if (!parameters.some(({ name }) => name === "pageIndex")) return [];
  const right = { status: 200, isRight: true };
  const page = (pageIndex: number) => (input: Input) => ({
    ...input,
    query: { ...input.query, pageIndex },
  });
  const counted = { input: withHeader("Prefer", "count=exact") };
  return [
    { ...right, title: "a request for the second page", input: page(1) },
    { ...right, title: "a request for a page past the end", input: page(2_000_000) },
    ...(operationId === "searchMetadata"
      ? [{ ...right, ...counted, title: "a request for the count" }]
      : []),
  ];
}

function toStreams({ responses }: Route): Case[] {
  if (!("206" in responses)) return [];
  return [
    { title: "the first bytes", status: 206, input: withHeader("Range", "bytes=0-99") },
    { title: "the last bytes", status: 206, input: withHeader("Range", "bytes=-100") },
    { title: "a copy that is held", status: 304, input: withHeader("If-None-Match", "*") },
    { title: "octets", status: 200, input: withHeader("Accept", "application/octet-stream") },
  ];
}

function withHeader(name: string, value: string): (input: Input) => Input {
  return (input) => ({ ...input, header: { [name]: value } });
}
