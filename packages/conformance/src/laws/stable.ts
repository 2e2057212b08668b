// The same request gets the same response, and a validator correctly shows whether it changed.
import { setTimeout as wait } from "node:timers/promises";
import type { Answer } from "../ask.ts";
import type { Run } from "../run.ts";
import { toIdentity } from "../values/places.ts";
import { findRight } from "../values/requests.ts";
import { isSameAnswer } from "../values/same-answer.ts";
import { type Judgement, type Law, type Two, unchecked } from "./law.ts";
import { toSteady } from "./same-as.ts";

export const stableLaw: Law<"stable"> = {
  cost: 5,
  judge: async function* judge(rule, operation, run) {
    const right = await findRight(run, operation.id);
    if (typeof right === "string") {
      yield unchecked("stable", right);
      return;
    }
    const first = await run.askAgain(right.ask);
    if (!first.isSuccess) {
      yield unchecked("stable", `answered ${first.status}`);
      return;
    }
    // Last-Modified has a resolution of one second.
    const isDated = first.headers.has("Last-Modified");
    if (isDated) await wait(1_050);
    const again = await run.askAgain(right.ask);
    yield* judgeSame(run, [first, again]);
    const tag = again.headers.get("ETag");
    if (rule.strong === true)
      yield {
        clause: "stable.validators",
        answer: again,
        witness: "an answer",
        fault:
          tag === null || tag.startsWith("W/")
            ? { at: "ETag", fault: "there is no strong ETag" }
            : undefined,
      };
    if (tag === null) return;
    const current = await run.ask({ ...right.ask, headers: { "If-None-Match": tag } });
    const isTaken = current.status === 304 || (current.isSuccess && rule.conditional !== true);
    yield {
      clause: "stable.conditional",
      answer: current,
      witness: "the current ETag",
      fault: isTaken
        ? undefined
        : `If-None-Match with the current ETag is answered ${current.status}`,
    };
    const other = await run.ask({ ...right.ask, headers: { "If-None-Match": '"another"' } });
    yield {
      clause: "stable.conditional",
      answer: other,
      witness: "another ETag",
      fault: other.status === 304 ? "If-None-Match with another ETag is answered 304" : undefined,
    };
  },
  ofTwo: ["stable.body", "stable.validators"],
  judgeTwo: function* judgeTwo({ of }, both, run) {
    const [first, again] = both.map(({ operation, ask }) =>
      toIdentity([operation.id, ask.path, ask.query, ask.headers, ask.body, ask.text]),
    );
    if (first === again && of.includes(both[0].operation.id)) yield* judgeSame(run, both);
  },
};

function* judgeSame(run: Run, [first, again]: Two): Generator<Judgement> {
  const steady = (answer: Answer): Answer => ({ ...answer, json: toSteady(run, answer.json) });
  const isSame = isSameAnswer(run, steady(first), steady(again));
  yield {
    clause: "stable.body",
    answer: again,
    witness: "two answers",
    fault: isSame ? undefined : "the same request gives another body",
  };
  for (const name of ["ETag", "Last-Modified"]) {
    const [one, other] = [first, again].map(({ headers }) => headers.get(name));
    if (one === null && other === null) continue;
    const isMoved = isSame && one !== other;
    yield {
      clause: "stable.validators",
      answer: again,
      witness: `two answers with ${name}`,
      fault: isMoved ? { at: name, fault: `${name} changes while the body stays` } : undefined,
    };
  }
}
