// A service returns and changes nothing without valid credentials: none, unknown ones, another scheme, and near misses.
import type { Ask, Caller } from "../ask.ts";
import { SAFE_METHODS } from "../ask.ts";
import type { Operation } from "../document/document.ts";
import { swapCase } from "../http/secrets.ts";
import type { Run } from "../run.ts";
import { unchecked, type Verdicts } from "../laws/law.ts";
import { findRight } from "../values/requests.ts";
import { promisesChallenge } from "./answer.ts";
import type { DocumentRule } from "./rule.ts";

export const auth: DocumentRule = {
  name: "auth",
  clauses: ["auth.refused", "auth.scheme-case", "auth.schemes"],
  cost: ({ method }) => (method === "GET" ? 9 : 4),
  applies: ({ security }) => security.length > 0,
  needs: () => [],
  isBetween: false,
  judge: async function* judge(operation, run) {
    const { first } = run.callers;
    if (Object.keys({ ...first.headers, ...first.query }).length === 0) {
      yield unchecked("auth.refused", "no credentials were given");
      return;
    }
    const isReading =
      SAFE_METHODS.has(operation.method) || run.relations.safe.includes(operation.id);
    // A write that succeeds by mistake changes something: only with --write, and only on a thing that the run created.
    const index = [...run.document.operations.keys()].indexOf(operation.id);
    const ways = isReading || run.mayWrite ? toWays(run, { operation, isReading, index }) : [];
    if (ways.length === 0) {
      yield unchecked("auth.refused", "needs --write");
      return;
    }
    for (const { how, caller, method, level = "must" } of ways) {
      // A thing deleted by mistake is gone, so the next attempt needs another one.
      const ask = await findAsk(run, operation.id);
      if (typeof ask === "string") {
        yield unchecked("auth.refused", ask);
        return;
      }
      const answer = await run.ask({ ...ask, caller, ...(method && { method }) });
      const isLetIn = answer.status < 400;
      const came = `${answer.method} with ${how} is answered ${answer.status}`;
      const told = { clause: "auth.refused", answer, witness: how };
      yield { ...told, level, fault: isLetIn ? came : undefined };
      // One hole is one finding: a service that accepts an anonymous caller accepts every caller.
      if (isLetIn && level === "must") return;
      // RFC 9110, 15.5.2. The service may reject an unsupported method or parameter first.
      const isOdd = method !== undefined || level === "should";
      const isUnlike = !isLetIn && !isOdd && answer.status !== 401;
      yield { ...told, level: "should", fault: isUnlike ? `${came}, not 401` : undefined };
    }
    const ask = await findAsk(run, operation.id);
    if (typeof ask === "string") return;
    if (isReading) yield* judgeSchemeCase(run, ask);
    yield* judgeSchemes(run, operation, { ask, isReading });
  },
};

/** A valid request if there is one. Otherwise, for reading operations, a path that does not exist: credentials are checked first. */
async function findAsk(run: Run, id: string): Promise<Ask | string> {
  const right = await findRight(run, id);
  if (typeof right !== "string") return right.ask;
  return run.mayAsk({ operation: id }) ? { operation: id } : right;
}

/** Descriptions of wrong credentials for findings. */
export const WAYS = {
  none: "no credentials",
  unknown: "unknown credentials",
  otherCase: "a secret in other letter case",
  less: "a secret with a character less",
  more: "a secret with a character more",
  scheme: "another scheme",
  bare: "nothing after the scheme",
  expired: "expired credentials",
  query: "the token in the query",
} as const;

interface Way {
  readonly how: (typeof WAYS)[keyof typeof WAYS];
  readonly caller: Caller;
  readonly method?: string;
  readonly level?: "must" | "should";
}

interface Tried {
  readonly operation: Operation;
  readonly isReading: boolean;
  readonly index: number;
}

/** Each operation gets another near miss. A strict check also tries credentials that are not near misses at each operation. */
function toWays(run: Run, { operation, isReading, index }: Tried): Way[] {
  const { first, expired } = run.callers;
  const none: Way = { how: WAYS.none, caller: { name: "nobody", headers: {}, query: {} } };
  const unknown = withSecrets(first, WAYS.unknown, () => "nobody-knows-this-one");
  const near = [
    withSecrets(first, WAYS.otherCase, swapCase),
    withSecrets(first, WAYS.less, (text) => text.slice(0, -1)),
    withSecrets(first, WAYS.more, (text) => `${text}x`),
  ];
  const others = toOtherHeaders(first);
  const misses = [unknown, ...near, ...others];
  const chosen = run.isStrict
    ? [unknown, ...others, ...near.slice(index % near.length, (index % near.length) + 1)]
    : misses.filter((_, at) => (at + index) % 3 === 0);
  const old: Way[] = expired === undefined ? [] : [{ how: WAYS.expired, caller: expired }];
  if (!isReading) return [none, ...old, ...chosen.slice(0, 2)];
  const head: Way[] = operation.method === "GET" ? [{ ...none, method: "HEAD" }] : [];
  return [none, ...head, ...old, ...chosen, ...toInQuery(run, operation)];
}

function withSecrets(
  { headers, query, name }: Caller,
  how: Way["how"],
  change: (secret: string) => string,
): Way {
  const toOther = (values: Caller["headers"], edit: (value: string) => string) =>
    Object.fromEntries(Object.entries(values).map(([key, value]) => [key, edit(value)]));
  const caller = {
    name: `${name} ${how}`,
    headers: toOther(headers, (value) => toChanged(value, change)),
    query: toOther(query, change),
  };
  return { how, caller };
}

const schemeOf = ({ headers }: Caller): readonly string[] =>
  headers["Authorization"]?.split(" ", 2) ?? [];

function toOtherHeaders(first: Caller): Way[] {
  const [scheme, secret = ""] = schemeOf(first);
  if (scheme === undefined) return [];
  const other = scheme.toLowerCase() === "bearer" ? "Basic" : "Bearer";
  const ofHeader = (how: Way["how"], value: string): Way => ({
    how,
    caller: { name: how, headers: { Authorization: value }, query: {} },
  });
  return [ofHeader(WAYS.scheme, `${other} ${secret}`), ofHeader(WAYS.bare, `${scheme} `)];
}

/** Logs contain URLs (RFC 6750, 5.3), so a token in the query is tried once, and never a key. */
function toInQuery(run: Run, { id }: Operation): Way[] {
  const { first, schemes } = run.callers;
  const [scheme = "", secret = ""] = schemeOf(first);
  const isKey = [...schemes.values()].some((one) => schemeOf(one)[1] === secret);
  const reading = [...run.document.operations.values()].find(
    ({ method, security }) => method === "GET" && security.length > 0,
  );
  if (!run.isStrict || isKey || scheme.toLowerCase() !== "bearer" || reading?.id !== id) return [];
  const caller = { name: "query", headers: {}, query: { access_token: secret } };
  return [{ how: WAYS.query, caller, level: "should" }];
}

/** For Basic, only the password is changed (RFC 7617, 2). */
function toChanged(value: string, change: (secret: string) => string): string {
  const [, scheme, secret] = /^(\S+) (.+)$/.exec(value) ?? [];
  if (scheme === undefined || secret === undefined) return change(value);
  if (scheme.toLowerCase() !== "basic") return `${scheme} ${change(secret)}`;
  const [user = "", password = ""] = Buffer.from(secret, "base64").toString().split(/:(.*)/s);
  return `${scheme} ${Buffer.from(`${user}:${change(password)}`).toString("base64")}`;
}

async function* judgeSchemeCase(run: Run, ask: Ask): Verdicts {
  const { first } = run.callers;
  const authorization = first.headers["Authorization"];
  if (authorization === undefined) return;
  const right = await run.ask(ask);
  if (!right.isSuccess) return;
  const headers = {
    ...first.headers,
    Authorization: authorization.replace(/^\S+/, (scheme) => scheme.toLowerCase()),
  };
  const answer = await run.ask({
    ...ask,
    caller: { ...first, name: "first in lower case", headers },
  });
  yield {
    clause: "auth.scheme-case",
    answer,
    witness: "the scheme in lower case",
    ...(!promisesChallenge(right.operation) && { level: "should" as const }),
    fault: answer.status === 401 ? "the scheme in lower case is refused" : undefined,
  };
}

/** Credentials of a scheme are valid only where the document says so. */
async function* judgeSchemes(
  run: Run,
  { security, id }: Operation,
  { ask, isReading }: { readonly ask: Ask; readonly isReading: boolean },
): Verdicts {
  for (const [name, caller] of run.callers.schemes) {
    const isGood = security.some((names) => names.length === 1 && names[0] === name);
    // A permitted write would change something once more.
    if (isGood && !isReading) continue;
    const answer = await run.ask({ ...ask, operation: id, caller });
    const isRefused = answer.status === 401 || answer.status === 403;
    const right = isGood ? await run.ask(ask) : undefined;
    const fault = isGood
      ? isRefused && right?.isSuccess === true
        ? `${name}, which the document allows here, is answered ${answer.status}`
        : undefined
      : answer.isSuccess
        ? `${name}, which the document does not allow here, is answered ${answer.status}`
        : undefined;
    yield {
      clause: "auth.schemes",
      answer,
      witness: `credentials of ${name}`,
      fault: fault && { at: name, fault },
    };
  }
}
