// A right request is answered with a success: without one of an operation nothing is known of it.
import { SAFE_METHODS } from "../ask.ts";
import { unchecked } from "../laws/law.ts";
import { create, findRight } from "../values/requests.ts";
import type { DocumentRule } from "./rule.ts";

export const success: DocumentRule = {
  name: "success",
  clauses: ["answer.success"],
  cost: () => 1,
  // What deletes is asked by lifecycle alone, on what the run created.
  applies: ({ method }) => method !== "DELETE",
  needs: ({ method }) => (SAFE_METHODS.has(method) ? [] : ["write"]),
  isBetween: false,
  judge: async function* judge(operation, run) {
    if (run.succeeded.has(operation.id)) return;
    if (operation.method === "POST" && !run.relations.safe.includes(operation.id)) {
      const created = await create(run, operation.id);
      if (typeof created === "string") yield unchecked("answer.success", created);
      else yield { clause: "answer.success", answer: created.answer, witness: "a right request" };
      return;
    }
    const right = await findRight(run, operation.id);
    if (typeof right === "string") {
      yield unchecked("answer.success", right);
      return;
    }
    const answer = await run.ask(right.ask);
    run.noteRight(answer);
    if (!answer.isSuccess && !right.isSure) {
      yield unchecked(
        "answer.success",
        `answered ${answer.status}, and not every value in the request is known to exist`,
      );
      return;
    }
    yield {
      clause: "answer.success",
      answer,
      witness: "a right request",
      fault: answer.isSuccess ? undefined : `a right request is answered ${answer.status}`,
    };
  },
};
