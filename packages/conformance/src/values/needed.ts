// The required headers and query parameters of an operation, which every request needs.
import { type Ask, fillPath } from "../ask.ts";
import type { Operation, Parameter } from "../document/document.ts";
import type { Run } from "../run.ts";
import { candidatesOf } from "./candidates.ts";
import { toText } from "./places.ts";

/** Adds the required values that the request does not have. A value of undefined is left out on purpose. */
export function withNeeded(run: Run, ask: Ask): Ask {
  const operation = run.operation(ask.operation);
  const { query = {}, headers = {} } = ask;
  const names = new Set(Object.keys(headers).map((name) => name.toLowerCase()));
  const needed = operation.parameters.filter(({ required }) => required);
  const inQuery = needed
    .filter((one) => one.in === "query" && !Object.hasOwn(query, one.name))
    .map((one) => [one.name, candidatesOf(run, operation, one)[0]?.value] as const)
    .filter(([, value]) => value !== undefined);
  const inHeader = needed
    .filter((one) => one.in === "header" && !names.has(one.name.toLowerCase()))
    .map((one) => [one.name, toHeader(run, operation, { ask, parameter: one })] as const);
  return {
    ...ask,
    ...(inQuery.length > 0 && { query: { ...query, ...Object.fromEntries(inQuery) } }),
    ...(inHeader.length > 0 && { headers: { ...headers, ...Object.fromEntries(inHeader) } }),
  };
}

/** The ETag for a change, a new name for each creation, or any other valid value. */
function toHeader(
  run: Run,
  operation: Operation,
  { ask, parameter }: { readonly ask: Ask; readonly parameter: Parameter },
): string {
  const { name } = parameter;
  if (/^if-match$/i.test(name))
    return run.found.tags.get(fillPath(operation.path, ask.path)) ?? "*";
  if (/idempotency|request-?id/i.test(name)) return run.nextName();
  return toText(candidatesOf(run, operation, parameter)[0]?.value ?? "probe");
}
