// A link of the document leads to an existing resource: the target operation accepts the values that the response has for it.
import { isObject, type JsonObject, lookUp } from "@call-media/contract-diff";
import { type Answer, type Ask, SAFE_METHODS } from "../ask.ts";
import type { Operation } from "../document/document.ts";
import { unchecked, type Verdicts } from "../laws/law.ts";
import { type Run, toFields } from "../run.ts";
import { toText } from "../values/places.ts";
import { findRight } from "../values/requests.ts";
import type { DocumentRule } from "./rule.ts";

const CLAUSE = "links.leads";

export const links: DocumentRule = {
  name: "links",
  clauses: [CLAUSE],
  cost: ({ responses }) => responses.flatMap(linksOf).length,
  applies: ({ responses }) => responses.some((one) => linksOf(one).length > 0),
  needs: ({ method }) => (SAFE_METHODS.has(method) ? [] : ["write"]),
  isBetween: true,
  judge: async function* judge(operation, run) {
    const answer = await findSuccess(run, operation);
    if (typeof answer === "string") {
      yield unchecked(CLAUSE, answer);
      return;
    }
    const { responses } = operation;
    const documented = responses.find(({ status }) => status === String(answer.status));
    for (const link of documented === undefined ? [] : linksOf(documented))
      yield* judgeLink(run, answer, link);
  },
};

const linksOf = ({ status, links: all }: Operation["responses"][number]) =>
  status.startsWith("2") ? all : [];

async function findSuccess(run: Run, { id, method }: Operation): Promise<Answer | string> {
  if (!SAFE_METHODS.has(method) && !run.relations.safe.includes(id))
    return run.found.successes.get(id) ?? "nothing was created";
  const right = await findRight(run, id);
  if (typeof right === "string") return right;
  const answer = await run.ask(right.ask);
  return answer.isSuccess ? answer : `answered ${answer.status}`;
}

async function* judgeLink(run: Run, from: Answer, link: JsonObject): Verdicts {
  const target = findTarget(run, link);
  // Operations that change something are not called to test a link.
  if (target === undefined || !SAFE_METHODS.has(target.method)) return;
  const right = await findRight(run, target.id);
  const asked: Ask = typeof right === "string" ? { operation: target.id } : right.ask;
  const given = toGiven(target, from, toFields(link["parameters"]));
  const missing = Object.entries(given.expressions).find(([, value]) => value === undefined)?.[0];
  if (missing !== undefined) {
    yield {
      clause: CLAUSE,
      answer: from,
      witness: `a link to ${target.id}`,
      fault: {
        at: `${target.id} ${missing}`,
        fault: `the link to ${target.id} takes ${missing} from ${toText(toFields(link["parameters"])[missing])}, which this answer does not have`,
      },
    };
    return;
  }
  const answer = await run.askAgain({
    ...asked,
    path: { ...asked.path, ...given.path },
    query: { ...asked.query, ...given.query },
  });
  // A thing below another one may be missing, and a caller without rights was not misled.
  const isThere = target.path.endsWith("}") || run.listInfo(target.id) !== undefined;
  const isAstray = answer.status === 400 || answer.status === 404;
  yield {
    clause: CLAUSE,
    answer,
    witness: `a link of ${from.operation.id}`,
    ...(!(isThere && isAstray) && { level: "observe" as const }),
    fault: answer.isSuccess
      ? undefined
      : {
          at: from.operation.id,
          fault: `where the link of ${from.operation.id} leads, the answer is ${answer.status}`,
        },
  };
}

/** The target by its operationId, or by a reference into this document. */
function findTarget({ document: { operations } }: Run, link: JsonObject): Operation | undefined {
  const { operationId, operationRef } = link;
  if (typeof operationId === "string") return operations.get(operationId);
  return typeof operationRef !== "string"
    ? undefined
    : [...operations.values()].find(({ pointer }) => pointer === operationRef);
}

/** Values by parameter location. A name may include its location, such as `path.id`. */
function toGiven(target: Operation, from: Answer, written: JsonObject) {
  const expressions = Object.fromEntries(
    Object.entries(written).map(([name, expression]) => [name, evaluate(expression, from)]),
  );
  const pick = (where: string) =>
    Object.fromEntries(
      Object.entries(expressions).flatMap(([name, value]) => {
        const [, place, bare = name] = /^(path|query|header)\.(.+)$/.exec(name) ?? [];
        const stands = place ?? target.parameters.find((one) => one.name === bare)?.in;
        return stands === where ? [[bare, value]] : [];
      }),
    );
  return { expressions, path: pick("path"), query: pick("query") };
}

/** A runtime expression of OpenAPI (4.8.20.4), bare or in braces. Anything else is a constant. */
function evaluate(expression: unknown, from: Answer): unknown {
  if (typeof expression !== "string") return expression;
  if (expression.startsWith("$")) return toValue(expression, from);
  return expression.replaceAll(/\{(\$[^}]+)\}/g, (_, inner: string) =>
    toText(toValue(inner, from) ?? ""),
  );
}

function toValue(expression: string, { ask, json, headers, sent, status }: Answer): unknown {
  if (expression === "$url") return sent.url;
  if (expression === "$method") return sent.method;
  if (expression === "$statusCode") return status;
  const [, side, rest = ""] = /^\$(request|response)\.(.+)$/.exec(expression) ?? [];
  const [, pointer] = /^body(?:#(.*))?$/.exec(rest) ?? [];
  if (rest.startsWith("body")) {
    const body = side === "request" ? ask.body : json;
    return pointer === undefined || pointer === "" || !isObject(body)
      ? body
      : lookUp(body, `#${pointer}`);
  }
  const [place = "", name = ""] = rest.split(/\.(.*)/s);
  if (side === "response") return headers.get(name) ?? undefined;
  const parts: Readonly<Record<string, JsonObject | undefined>> = {
    path: ask.path,
    query: ask.query,
    header: ask.headers,
  };
  return parts[place]?.[name];
}
