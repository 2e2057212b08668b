// A request for checking the service: its expected result, and the request itself.
import type { Route } from "@call-media/api";
import { toRequest, withBearer } from "./exchange.ts";
import type { Input } from "./input.ts";
import type { CallerName, ServiceName, World } from "./world.ts";

export interface Case {
  readonly title: string;
  readonly status: number;
  /** True if the request keeps the contract, so that Prism has no complaint. Default: false. */
  readonly isRight?: boolean;
  /** True if the response must contain data. */
  readonly isFilled?: boolean;
  /** The text that errorMessage must contain. */
  readonly about?: string;
  /** Default: open. */
  readonly service?: ServiceName;
  /** Default: the administrator. */
  readonly caller?: CallerName;
  /** Changes the valid default input. */
  readonly input?: (right: Input) => Input;
  /** True to send it as HEAD. */
  readonly isHead?: boolean;
  /** Changes the request last. */
  readonly alter?: (request: Request) => Request;
}

export interface ServiceCase extends Case {
  readonly operation: string;
  readonly route: Route;
}

/** The request of a case, ready to send; `baseUrl` replaces that of the service. */
export function toCaseRequest(
  { route, service = "open", caller = "administrator", input, alter, isHead }: ServiceCase,
  { access, baseUrls, callers }: World,
  baseUrl = baseUrls[service],
): Request {
  const { bearer, userId } = callers[caller];
  const right = toRightInput(route, access, userId);
  const request = toRequest(baseUrl, route, input?.(right) ?? right);
  const signed = route.needsCredentials ? withBearer(request, bearer) : request;
  const altered = alter?.(signed) ?? signed;
  return isHead ? new Request(altered, { method: "HEAD" }) : altered;
}

/** The input for which the operation returns data from the demo archive. */
export function toRightInput(route: Route, access: World["access"], userId: number): Input {
  const { call_id, ref_id, chat_call_id } = access.examples;
  const values: Readonly<Record<string, unknown>> = {
    call_id: route.operationId === "getChatByCallId" ? chat_call_id : call_id,
    ref_id,
    pageIndex: 0,
    startDate: "2024-01-01",
    endDate: "2026-12-31",
    status: "active",
    user_id: userId,
  };
  const bodies: Readonly<Record<string, unknown>> = {
    createToken: access.credentials,
    searchMetadata: { call_id },
    searchMetadataByCustomFields: {},
  };
  const pick = (place: string) =>
    Object.fromEntries(
      route.parameters
        .filter((parameter) => parameter.in === place && parameter.required)
        .map(({ name }) => [name, values[name]]),
    );
  return { path: pick("path"), query: pick("query"), header: {}, body: bodies[route.operationId] };
}
