// The self-test of a check: its run is repeated on its own recorded answers, with one mechanical drift after another in them.
import { performCheck } from "../check-api.ts";
import { toSeed } from "../open-run.ts";
import type { ApiDocument, Operation } from "../document/document.ts";
import { derive } from "../relations/derive.ts";
import type { ApiCheck, ApiReport, Credentials, SelfTest } from "../report.ts";
import { drifts, type Scene } from "./drifts.ts";
import { driftFields, type Replay } from "./fields.ts";
import { createTape, replay, type Request, type Tape, type Taped } from "./tape.ts";

/**
 * As `checkApi`, and then how many of some two dozen drifts, and in which fields one, the same run would have seen. The service
 * is asked again only for what the first run did not read.
 */
export async function checkWithSelfTest(check: ApiCheck): Promise<ApiReport> {
  const send = check.target.fetch ?? globalThis.fetch;
  const tape = createTape(send);
  const seed = toSeed();
  const recorded = { ...check, target: { ...check.target, fetch: tape.record } };
  const report = await performCheck(recorded, { seed, isReplay: false });
  // A drift that was put into recorded answers is no finding of the service.
  const {
    onExchange: _kept,
    onFinding: _told,
    requestsPerSecond: _rate,
    ...options
  } = check.options ?? {};
  const again = async (change: (request: Request, taped: Taped) => Taped) => {
    const target = { ...check.target, fetch: replay(tape, send, change) };
    const replayed = { ...check, target, options };
    return (await performCheck(replayed, { seed, isReplay: true })).findings;
  };
  const clean = new Set((await again((_, taped) => taped)).map(({ fingerprint }) => fingerprint));
  const reached = new Set<string>();
  const drift: Replay = async (change) => {
    const scenes = createScenes(check, tape);
    const found = await again((request, taped) => {
      const scene = scenes(request, taped);
      const changed = change(scene);
      if (changed !== undefined && scene.operation !== undefined) reached.add(scene.operation.id);
      return changed ?? taped;
    });
    return found.filter(({ fingerprint }) => !clean.has(fingerprint));
  };
  const selfTest = await driftAnswers(drift);
  const fields = await driftFields(check.document, drift);
  const all = [...check.document.operations.keys()];
  const operations = { of: all.length, unreached: all.filter((id) => !reached.has(id)) };
  return { ...report, selfTest: { ...selfTest, fields, operations } };
}

async function driftAnswers(replayed: Replay): Promise<Omit<SelfTest, "fields" | "operations">> {
  const [seen, missed, impossible]: [string[], string[], string[]] = [[], [], []];
  for (const { says, change } of drifts) {
    let isIn = false;
    const found = await replayed((scene) => {
      const changed = change(scene);
      isIn ||= changed !== undefined;
      return changed;
    });
    const list = !isIn ? impossible : found.length > 0 ? seen : missed;
    list.push(says);
  }
  return { of: seen.length + missed.length, seen, missed, impossible };
}

/** What drifts read of each answer of one replay. */
function createScenes({ document, relations, target }: ApiCheck, tape: Tape) {
  const base = new URL(target.baseUrl).pathname.replace(/\/+$/, "");
  const { lists } = derive(document, relations);
  const find = createFinder(document, base);
  const isBy = ({ headers }: Request, one: Credentials | undefined) =>
    one !== undefined &&
    Object.entries(one.headers).every(([name, value]) => headers[name.toLowerCase()] === value);
  const [changed, deleted] = [new Set<string>(), new Set<string>()];
  const created = new Set(tape.all.flatMap((one) => toCreated(one.request, one.taped)));
  const firstOf = (fits: (one: Tape["all"][number]) => boolean) => tape.all.find(fits)?.taped;
  return (request: Request, taped: Taped): Scene => {
    const url = new URL(request.url);
    const operation = find(request.method === "HEAD" ? "GET" : request.method, url.pathname);
    const isSuccess = taped.status < 300;
    if (isSuccess && ["PUT", "PATCH"].includes(request.method)) changed.add(url.pathname);
    if (isSuccess && request.method === "DELETE") deleted.add(url.pathname);
    return {
      request,
      url,
      operation,
      taped,
      json: parseJson(taped),
      like: (other) => {
        const wanted = { ...request, ...other };
        return firstOf(
          (one) =>
            one.request.method === wanted.method &&
            one.request.url === wanted.url &&
            one.request.body === wanted.body &&
            one.taped.status < 300 &&
            isBy(one.request, target.first),
        );
      },
      success: firstOf(
        (one) =>
          one.taped.status < 300 &&
          one.request.method === request.method &&
          find(one.request.method, new URL(one.request.url).pathname) === operation,
      ),
      who: isBy(request, target.first)
        ? "first"
        : isBy(request, target.second)
          ? "second"
          : "other",
      list: operation && lists.get(operation.id),
      document,
      relations,
      changed,
      deleted,
      created,
      before: firstOf(
        (one) =>
          one.taped.status === 200 &&
          one.request.method === "GET" &&
          new URL(one.request.url).pathname === url.pathname,
      ),
    };
  };
}

/** The operation of a method and path; one without parameters comes before one with. */
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

/** The paths at which something that was created may be read. */
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
    return undefined; // as a body that is none
  }
}
