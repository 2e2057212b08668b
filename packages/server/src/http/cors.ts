// The other origins whose pages may read responses in a browser (Fetch standard, section 3.2): only the listed ones.
import type { IncomingMessage } from "node:http";
import { routes } from "@call-media/api";
import { allMethods, type ResponseHeaders } from "@call-media/service";

// Long enough that a page needs only one preflight per visit, short enough that a changed list applies soon.
const PREFLIGHT_LIFETIME_SECONDS = 600;

/** True if the text is an origin in the form of browsers, for example `https://app.example.com`. */
export function isOrigin(text: string): boolean {
  return URL.canParse(text) && new URL(text).origin === text;
}

/**
 * The headers for a response, for each of the origins; none if the list is empty. Credentials of
 * the browser (cookies) are never allowed: the Authorization header is the caller's own. Throws `TypeError` for any
 * other text, including `*`.
 */
export function createCors(
  origins: readonly string[],
): (request: IncomingMessage) => ResponseHeaders {
  const unfit = origins.find((origin) => !isOrigin(origin));
  if (unfit !== undefined)
    throw new TypeError(`${unfit} is not an origin like https://app.example.com`);
  const allowed = new Set(origins);
  const [forAnswer, forPreflight] = [toAnswerHeaders(), toPreflightHeaders()];
  const none = {};
  return ({ method, headers }) => {
    if (allowed.size === 0) return none;
    const { origin = "", "access-control-request-method": asked } = headers;
    if (!allowed.has(origin)) return { Vary: "Origin" };
    const isPreflight = method === "OPTIONS" && asked !== undefined;
    return {
      Vary: "Origin",
      "Access-Control-Allow-Origin": origin,
      ...(isPreflight ? forPreflight : forAnswer),
    };
  };
}

// The contract's response headers, so that a page can page through results, name a recording and quote a request.
function toAnswerHeaders(): ResponseHeaders {
  const names = routes.flatMap(({ responses }) =>
    Object.values(responses).flatMap(({ headers = {} }) => Object.keys(headers)),
  );
  return { "Access-Control-Expose-Headers": [...new Set(names)].join(", ") };
}

function toPreflightHeaders(): ResponseHeaders {
  const parameters = routes.flatMap((route) =>
    route.parameters.filter((parameter) => parameter.in === "header").map(({ name }) => name),
  );
  const names = new Set(["Authorization", "Content-Type", ...parameters]);
  return {
    "Access-Control-Allow-Methods": allMethods().join(", "),
    "Access-Control-Allow-Headers": [...names].join(", "),
    "Access-Control-Max-Age": String(PREFLIGHT_LIFETIME_SECONDS),
  };
}
