// Wrong requests are refused with the status that fits, and the refusal names what is at fault.
import { type Answer, type Ask, placeFields } from "../ask.ts";
import type { Operation } from "../document/document.ts";
import type { RuleOf } from "../relations/kinds.ts";
import type { Run } from "../run.ts";
import { at, toText } from "../values/places.ts";
import { findRight } from "../values/requests.ts";
import { isWanted, type Judgement, type Law, unchecked, type Verdicts } from "./law.ts";
import { listWrong, type Wrong } from "./refusal/wrong.ts";

export const refusalLaw: Law<"refusal"> = {
  cost: 8,
  isBetween: false,
  judge: async function* judge(rule, operation, run) {
    const right = await findRight(run, operation.id);
    if (typeof right === "string") {
      yield unchecked("refusal", right);
      return;
    }
    const ask = placeFields(right.ask);
    // What cannot be had at all is not refused for its form.
    const isHad = !isWanted(rule, "accept") || (await run.ask(ask)).isSuccess;
    if (!isHad) yield unchecked("refusal.accept", "no right request was answered with success");
    const wrong = listWrong({ run, rule, operation, right: ask }).filter(
      ({ clause }) => isHad || clause !== "accept",
    );
    const answers = await Promise.all(wrong.map((one) => run.ask(one.ask)));
    for (const [index, answer] of answers.entries()) {
      const one = wrong[index];
      if (one !== undefined) yield* judgeWrong(rule, one, answer);
    }
    if (isWanted(rule, "method")) yield await judgeMethod(run, operation, ask);
    if (isWanted(rule, "address")) yield* judgeAddresses(run, operation, ask);
  },
};

function* judgeWrong(
  { sentence }: RuleOf<"refusal">,
  { clause, statuses, what, names }: Wrong,
  answer: Answer,
): Generator<Judgement> {
  const isRight = statuses.includes(answer.status);
  const fault = `${what} is answered ${answer.status}, not ${statuses.at(-1)}`;
  yield told(clause, answer, isRight ? undefined : { at: what, fault });
  if (!isRight || names === undefined || sentence === undefined) return;
  const said = toText(at(answer.json, sentence) ?? "");
  const silent = { at: what, fault: `${what}: ${JSON.stringify(said)} does not name ${names}` };
  yield told("names", answer, said.includes(names) ? undefined : silent);
}

const told = (clause: string, answer: Answer, fault: Judgement["fault"]): Judgement => ({
  clause: `refusal.${clause}`,
  answer,
  witness: "a wrong request",
  fault,
});

/** No path supports it. If one did, the method would only read (RFC 4918, 9.1). Unlike an invented one, every server can parse it. */
const OTHER_METHOD = "PROPFIND";
const WRITES = ["PUT", "PATCH", "DELETE"];

async function judgeMethod(
  run: Run,
  { path }: Operation,
  { body: _body, ...ask }: Ask,
): Promise<Judgement> {
  const answer = await run.ask({ ...ask, method: OTHER_METHOD });
  const { status, headers } = answer;
  const written = (headers.get("Allow") ?? "").split(",").map((one) => one.trim().toUpperCase());
  const allowed = new Set(written);
  const declared = [...run.document.operations.values()]
    .filter((one) => one.path === path)
    .map(({ method }) => method);
  const isNamed =
    declared.every((method) => allowed.has(method)) &&
    ![OTHER_METHOD, ...WRITES].some((method) => allowed.has(method) && !declared.includes(method));
  const fault =
    status === 405 ? `Allow is ${written.join(", ") || "missing"}` : `the answer is ${status}`;
  return told("method", answer, status === 405 && isNamed ? undefined : fault);
}

/** A path that the whole service lacks, and one beside the operation's own. */
async function* judgeAddresses(run: Run, operation: Operation, ask: Ask): Verdicts {
  const beside = toBeside([...run.document.operations.values()], operation);
  const edits = [() => "/no-such-path", ...(beside === undefined ? [] : [beside])];
  for (const edit of edits) {
    const rewrite = (target: string): string => edit(target.replace(/\?.*$/s, ""));
    const { body: _body, ...bare } = ask;
    const answer = await run.ask({ ...bare, method: "GET", rewrite });
    const { status } = answer;
    yield told("address", answer, status === 404 ? undefined : `the answer is ${status}`);
  }
}

/** A step higher, and a step below a key: the first operation with the key stands for all. */
function toBeside(all: readonly Operation[], operation: Operation) {
  const [last = ""] = /\/[^/]*$/.exec(operation.path) ?? [];
  const higher = operation.path.slice(0, -last.length);
  if (last.endsWith("}"))
    return all.find(({ path }) => path.endsWith(last)) === operation
      ? (path: string) => `${path}/b`
      : undefined;
  const isDocumented = higher === "" || all.some(({ path }) => path === higher);
  return isDocumented ? undefined : (path: string) => path.replace(/\/[^/]*$/, "");
}
