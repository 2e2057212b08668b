// Responses of Call Media, as its laws read them: the envelope, its records, and refusals in the body.
import { isObject, type JsonObject } from "@call-media/contract-diff";
import { type OperationId, type Route, routes } from "@call-media/api";
import { type Answer, isPassed } from "../ask.ts";

const byId = new Map<string, Route>(routes.map((route) => [route.operationId, route]));

export function routeOf(operation: string): Route {
  const route = byId.get(operation);
  if (route === undefined) throw new Error(`${operation} is no operation of the contract`);
  return route;
}

export const toId = (operation: string): OperationId => routeOf(operation).operationId;

/** The records of a response; empty if it has no `data` with records. */
export function recordsOf({ json }: Pick<Answer, "json">): readonly JsonObject[] {
  const data = isObject(json) ? json["data"] : undefined;
  return Array.isArray(data) ? data.filter(isObject) : [];
}

/** True for an envelope that contains only an error: the interface specifies neither error statuses nor error bodies. */
export function refusesInBody({ json }: Pick<Answer, "json">): boolean {
  if (!isObject(json) || json["isError"] !== true) return false;
  const { errorMessage: message, data } = json;
  return (
    typeof message === "string" &&
    message !== "" &&
    recordsOf({ json }).length === 0 &&
    !isObject(data)
  );
}

/** Describes how the response refuses the request. Undefined if it does not. */
export function findRefusal(answer: Pick<Answer, "status" | "isSuccess">): string | undefined {
  if (answer.isSuccess) return undefined;
  return `the answer is ${answer.status}${isPassed(answer) ? " with isError true" : ""}`;
}

/** True if the response refuses the request, for any reason. */
export function isRefusal({ status }: Pick<Answer, "status">): boolean {
  return status >= 400 && status < 500;
}
