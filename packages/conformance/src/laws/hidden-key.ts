// Responses to the second caller for one hidden thing: by its key, HEAD, validators, and every other operation with that key.
import { isDeepStrictEqual } from "node:util";
import { type Answer, type Ask, SAFE_METHODS } from "../ask.ts";
import type { Operation, Parameter } from "../document/document.ts";
import type { Run } from "../run.ts";
import { unknownOf } from "../values/candidates.ts";
import { withKey } from "../values/fields.ts";
import { rowsOf } from "../values/lists.ts";
import { toText } from "../values/places.ts";
import type { Shared } from "./covers.ts";
import { unchecked, type Verdicts } from "./law.ts";

/** An unauthenticated caller sees nothing, which proves nothing about rights. */
export const NOT_LET_IN = unchecked("perCaller.hidden", "the second caller is answered 401");

export interface Hidden {
  readonly parameter: Parameter;
  readonly key: unknown;
  readonly isMade: boolean;
}

export async function* judgeKey(
  run: Run,
  shared: Shared,
  { parameter, key, isMade }: Hidden,
): Verdicts {
  const { rule, operation, second } = shared;
  const isReading = SAFE_METHODS.has(operation.method);
  // A write may work only once, so only the second caller sends it.
  const mine = isReading
    ? await run.ask(withKey({ operation: operation.id }, parameter, key))
    : undefined;
  // The response at a path below the key may be empty.
  const isOwn = isReading && operation.path.endsWith("}");
  if (isOwn && mine !== undefined)
    yield {
      clause: "perCaller.own",
      answer: mine,
      witness: "one's own",
      fault: mine.isSuccess ? undefined : `the first caller's own is answered ${mine.status}`,
    };
  // HEAD, 304 and ranges of a list show no more than an empty list does.
  const isRefused = rule.hidden === "refused";
  const isThing = isReading && !isRefused && run.listInfo(operation.id) === undefined;
  const tag = isThing ? (mine?.headers.get("ETag") ?? null) : null;
  const hasRanges = /bytes/i.test(mine?.headers.get("Accept-Ranges") ?? "") && mine?.size !== 1;
  const more: Ask[] = [
    ...(isThing ? [{ operation: operation.id, method: "HEAD" }] : []),
    ...(tag === null ? [] : [{ operation: operation.id, headers: { "If-None-Match": tag } }]),
    ...(isThing && hasRanges ? [{ operation: operation.id, headers: { Range: "bytes=0-0" } }] : []),
  ];
  const others = [...run.document.operations.values()].filter(
    (one) =>
      run.ruleOf("perCaller", one.id) === undefined &&
      isComplete(run, one, parameter) &&
      takesKey(one, parameter),
  );
  // Other operations with this key and without a rule of their own are tried once, with the first operation of the rule.
  const isFirst = rule.of.find((id) => takesKey(run.operation(id), parameter)) === operation.id;
  const takers = others.filter(
    ({ method }) => isFirst && !isRefused && (isMade || SAFE_METHODS.has(method)),
  );
  const unknown = unknownOf(run, parameter, key);
  // DELETE comes last: a deleted thing cannot leak.
  const ranked = [operation, ...takers].toSorted(
    (one, other) => Number(one.method === "DELETE") - Number(other.method === "DELETE"),
  );
  const witness = "something of the first caller";
  let isSeen = false;
  for (const asked of [...ranked.map(({ id }): Ask => ({ operation: id })), ...more]) {
    // After one leak, further ways to the same thing show nothing new.
    if (isSeen && more.includes(asked)) break;
    const target = run.operation(asked.operation);
    const body = target.body === undefined ? undefined : (run.found.bodies.get(target.id) ?? {});
    const ask = { ...asked, caller: second, ...(body && { body }) };
    if (!run.mayAsk(withKey(ask, parameter, key))) continue;
    const answer = await run.askAgain(withKey(ask, parameter, key));
    if (answer.status === 401 && !isRefused) {
      yield NOT_LET_IN;
      continue;
    }
    const isLeak = isRefused ? answer.status !== 403 : shows(run, answer) || answer.status === 304;
    const due = isRefused ? ", not 403" : "";
    const fault = `the first caller's is answered ${answer.status} to the second one's ${answer.method}${due}`;
    yield { clause: "perCaller.hidden", answer, witness, fault: isLeak ? fault : undefined };
    isSeen ||= isLeak && target === operation;
    if (isRefused || !run.mayAsk(withKey(ask, parameter, unknown))) continue;
    const nothing = await run.ask(withKey(ask, parameter, unknown));
    yield {
      clause: "perCaller.as-unknown",
      answer,
      witness,
      fault: isLeak
        ? undefined
        : findDifference({ answer, key }, { answer: nothing, key: unknown }),
      ...(rule.hidden !== "as-unknown" && { level: "observe" as const }),
    };
  }
  if (!isOwn || !isMade) return;
  const still = await run.askAgain(withKey({ operation: operation.id }, parameter, key));
  yield {
    clause: "perCaller.own",
    answer: still,
    witness: "one's own",
    fault: still.isSuccess
      ? undefined
      : `after the second caller asked, the first caller's own is answered ${still.status}`,
  };
}

/** True if a response shows anything. An empty list does not. */
export const shows = (run: Run, answer: Answer): boolean =>
  answer.isSuccess &&
  (run.listInfo(answer.operation.id) === undefined || rowsOf(run, answer).length > 0);

export const takesKey = ({ parameters }: Operation, key: Parameter): boolean =>
  parameters.some((one) => one.name === key.name && one.in === key.in);

/** True if every other path parameter has a known value. */
function isComplete(run: Run, { id, parameters }: Operation, { name }: Parameter): boolean {
  const known = { ...run.found.lists.get(id)?.path, ...run.found.paths.get(id)?.[0] };
  return parameters.every(
    (one) => one.in !== "path" || one.name === name || known[one.name] !== undefined,
  );
}

/** Headers that differ between responses. */
const CHANGING =
  /^(?:date|age|etag|content-length|set-cookie|server-timing|trace(?:parent|state)|x-(?:runtime|response-time)|.*(?:request|correlation|trace)-?id|(?:x-)?rate-?limit.*|cf-ray)$/;

/** A response and the key in its request. */
interface Keyed {
  readonly answer: Answer;
  readonly key: unknown;
}

function findDifference(one: Keyed, other: Keyed): string | undefined {
  const [theirs, nothing] = [one.answer, other.answer];
  if (theirs.status !== nothing.status)
    return `what is hidden is answered ${theirs.status}, and what does not exist ${nothing.status}`;
  const shown = ({ headers }: Answer) => [...headers].filter(([name]) => !CHANGING.test(name));
  if (!isDeepStrictEqual(shown(theirs), shown(nothing)))
    return "what is hidden has other headers than what does not exist";
  // Responses may repeat the key.
  const blank = ({ answer: { text }, key }: Keyed) =>
    text.replaceAll(toText(key), "_").replaceAll(/[\da-f-]{8,}|\d+/gi, "_");
  return blank(one) === blank(other)
    ? undefined
    : "what is hidden has another body than what does not exist";
}
