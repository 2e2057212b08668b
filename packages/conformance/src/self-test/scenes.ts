// The view of each response in a replay that drifts use: its operation, its caller, and other responses of the first run.
import { SAFE_METHODS } from "../ask.ts";
import type { ApiDocument, Operation } from "../document/document.ts";
import { UNKNOWN_METHOD } from "../own.ts";
import { derive } from "../relations/derive.ts";
import type { ApiCheck } from "../check.ts";
import type { ApiTarget, Credentials } from "../report.ts";
import type { Scene } from "./drifts.ts";
import type { Request, Tape, Taped } from "./tape.ts";

type ToScene = (request: Request, taped: Taped) => Scene;

/** Created for each replay, since it records what that replay has changed so far. */
export function createScenes(
  { document, relations, target }: ApiCheck,
  tape: Tape,
  callers: Pick<ApiTarget, "first" | "second"> = {},
): () => ToScene {
  const base = new URL(target.baseUrl).pathname.replace(/\/+$/, "");
  const { lists } = derive(document, relations);
  const find = createFinder(document, base);
  const operationOf = ({ method }: Request, { pathname }: URL) =>
    find(method === "HEAD" ? "GET" : method, pathname);
  const successes = listSuccesses(tape);
  const created = new Set(tape.all.flatMap((one) => toCreated(one.request, one.taped)));
  return () => {
    const [changed, deleted] = [new Set<string>(), new Set<string>()];
    return (request, taped) => {
      const url = new URL(request.url);
      const operation = operationOf(request, url);
      const isSuccess = taped.status < 300;
      if (isSuccess && ["PUT", "PATCH"].includes(request.method)) changed.add(url.pathname);
      if (isSuccess && request.method === "DELETE") deleted.add(url.pathname);
      const firstOf = (method: string, fits: (one: Success) => boolean) =>
        successes.find((one) => one.request.method === method && fits(one))?.taped;
      const byFirst = (method: string, fits: (one: Success) => boolean) =>
        firstOf(method, (one) => fits(one) && isBy(one.request, callers.first));
      return {
        request,
        url,
        operation,
        taped,
        json: parseJson(taped),
        like: ({ url: at = request.url, body = request.body, method = request.method }) =>
          byFirst(method, (one) => one.request.url === at && one.request.body === body),
        another: (fits) =>
          byFirst(request.method, (one) => one.request.body === "" && fits(one.url)),
        // Getters, because few drifts use these.
        get success() {
          return firstOf(request.method, (one) => operationOf(one.request, one.url) === operation);
        },
        get before() {
          const { pathname } = url;
          return firstOf("GET", (one) => one.taped.status === 200 && one.url.pathname === pathname);
        },
        who: toWho(request, callers),
        list: operation && lists.get(operation.id),
        document,
        relations,
        changed,
        deleted,
        created,
      };
    };
  };
}

/** True for a request that changes nothing. */
export function createReading({ document, relations, target }: ApiCheck) {
  const base = new URL(target.baseUrl).pathname.replace(/\/+$/, "");
  const find = createFinder(document, base);
  return ({ method, url }: Request): boolean =>
    SAFE_METHODS.has(method) ||
    method === UNKNOWN_METHOD ||
    relations.safe.includes(find(method, new URL(url).pathname)?.id ?? "");
}

type Success = ReturnType<typeof listSuccesses>[number];

const listSuccesses = ({ all }: Tape) =>
  all
    .filter(({ taped }) => taped.status < 300)
    .map((one) => ({ ...one, url: new URL(one.request.url) }));

const isBy = ({ headers }: Request, one: Credentials | undefined): boolean =>
  one !== undefined &&
  Object.entries(one.headers).every(([name, value]) => headers[name.toLowerCase()] === value);

function toWho(
  request: Request,
  { first, second }: Pick<ApiTarget, "first" | "second">,
): Scene["who"] {
  if (isBy(request, first)) return "first";
  return isBy(request, second) ? "second" : "other";
}

/** The operation of a method and path. Paths without parameters have precedence. */
function createFinder({ operations }: ApiDocument, base: string) {
  const known = [...operations.values()]
    .toSorted((one, other) => one.path.split("{").length - other.path.split("{").length)
    .map((operation) => ({
      operation,
      pattern: new RegExp(
        `^${base}${operation.path.replaceAll(/\{[^}]+\}|[.*+?^$()|[\]\\]/g, (one) =>
          one.startsWith("{") ? "[^/]+" : `\\${one}`,
        )}$`,
      ),
    }));
  return (method: string, path: string): Operation | undefined =>
    known.find(({ operation, pattern }) => operation.method === method && pattern.test(path))
      ?.operation;
}

/** The paths at which a created thing may be read. */
function toCreated({ method, url }: Request, taped: Taped): string[] {
  if (method !== "POST" || taped.status !== 201) return [];
  const { pathname } = new URL(url);
  const json = parseJson(taped);
  const keys = Object.entries(typeof json === "object" && json !== null ? json : {})
    .filter(([name]) => /id$|code$|key$/i.test(name))
    .map(([, value]) => `${pathname}/${String(value)}`);
  const location = taped.headers.get("Location");
  return location === null ? keys : [...keys, new URL(location, url).pathname];
}

function parseJson({ headers, bytes }: Taped): unknown {
  if (!/json/i.test(headers.get("Content-Type") ?? "")) return undefined;
  try {
    return JSON.parse(new TextDecoder().decode(bytes));
  } catch {
    return undefined; // not a JSON body
  }
}
