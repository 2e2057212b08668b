// Nothing is given or changed without valid credentials: none, unknown ones, another scheme, and near misses of the right ones.
import type { Ask, Caller } from "../ask.ts";
import { SAFE_METHODS } from "../ask.ts";
import type { Operation } from "../document/document.ts";
import { swapCase } from "../http/secrets.ts";
import type { Run } from "../run.ts";
import { unchecked, type Verdicts } from "../laws/law.ts";
import { findRight } from "../values/requests.ts";
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
    // A write that succeeds by mistake changes something: only with --write, and then on what the run created.
    const index = [...run.document.operations.keys()].indexOf(operation.id);
    const ways = isReading || run.mayWrite ? toWays(first, { isReading, index }) : [];
    if (ways.length === 0) {
      yield unchecked("auth.refused", "needs --write");
      return;
    }
    for (const { how, caller, method } of ways) {
      // What is deleted by mistake is gone: the next one is tried on another thing.
      const ask = await findAsk(run, operation.id);
      if (typeof ask === "string") {
        yield unchecked("auth.refused", ask);
        return;
      }
      const answer = await run.ask({ ...ask, caller, ...(method && { method }) });
      const isLetIn = answer.status < 400;
      yield {
        clause: "auth.refused",
        answer,
        witness: how,
        fault: isLetIn ? `${answer.method} with ${how} is answered ${answer.status}` : undefined,
      };
      // One hole is one finding: whoever lets nobody in lets everybody in.
      if (isLetIn) return;
    }
    const ask = await findAsk(run, operation.id);
    if (typeof ask === "string") return;
    if (isReading) yield* judgeSchemeCase(run, ask);
    yield* judgeSchemes(run, operation, { ask, isReading });
  },
};

/** A right request if there is one; else, of what only reads, one whose path leads nowhere: credentials come first. */
async function findAsk(run: Run, id: string): Promise<Ask | string> {
  const right = await findRight(run, id);
  if (typeof right !== "string") return right.ask;
  return run.mayAsk({ operation: id }) ? { operation: id } : right;
}

interface Way {
  readonly how: string;
  readonly caller: Caller;
  readonly method?: string;
}

/** How far credentials miss differs from operation to operation, so that all ways are tried at several of them. */
function toWays(
  { headers, query, name }: Caller,
  { isReading, index }: { readonly isReading: boolean; readonly index: number },
): Way[] {
  const nobody: Caller = { name: "nobody", headers: {}, query: {} };
  const withSecrets = (how: string, change: (secret: string) => string): Way => ({
    how,
    caller: {
      name: `${name} ${how}`,
      headers: Object.fromEntries(
        Object.entries(headers).map(([key, value]) => [key, toChanged(value, change)]),
      ),
      query: Object.fromEntries(Object.entries(query).map(([key, value]) => [key, change(value)])),
    },
  });
  const authorization = headers["Authorization"];
  const [, secret = ""] = authorization?.split(" ", 2) ?? [];
  const ofHeader = (how: string, value: string): Way => ({
    how,
    caller: { name: how, headers: { Authorization: value }, query: {} },
  });
  const scheme = authorization?.split(" ", 1)[0] ?? "";
  const near = [
    withSecrets("unknown credentials", () => "nobody-knows-this-one"),
    withSecrets("a secret in other letter case", swapCase),
    withSecrets("a secret with a character less", (text) => text.slice(0, -1)),
  ];
  const others =
    authorization === undefined
      ? []
      : [
          ofHeader(
            "another scheme",
            `${scheme.toLowerCase() === "bearer" ? "Basic" : "Bearer"} ${secret}`,
          ),
          ofHeader("nothing after the scheme", `${scheme} `),
        ];
  const none: Way = { how: "no credentials", caller: nobody };
  const misses = [...near, ...others];
  const chosen = misses.filter((_, at) => (at + index) % 3 === 0);
  return isReading ? [none, { ...none, method: "HEAD" }, ...chosen] : [none, ...chosen.slice(0, 2)];
}

/** Of Basic the password alone is changed (RFC 7617, 2). */
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
    fault: answer.status === 401 ? "the scheme in lower case is refused" : undefined,
  };
}

/** Credentials of a scheme are good where the document says so, and nowhere else. */
async function* judgeSchemes(
  run: Run,
  { security, id }: Operation,
  { ask, isReading }: { readonly ask: Ask; readonly isReading: boolean },
): Verdicts {
  for (const [name, caller] of run.callers.schemes) {
    const isGood = security.some((names) => names.length === 1 && names[0] === name);
    // A write that is allowed would change something once more.
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
