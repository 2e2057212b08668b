// Users and flags: that right requests are taken, which integers stand for which status, and a user who cannot exist.
import { type Answer, type Ask, isPassed, isSuccess, recordsOf } from "../answer.ts";
import type { Run } from "../run.ts";
import { unless } from "../run.ts";
import type { Check } from "./check.ts";

const STATUSES = { active: 1, inactive: 0, deleted: 2 } as const;
export const MAX_USERS = 4;
// No archive has had that many; still an integer that every language reads.
const NO_USER = "2147480017";

const ofUser = (
  operation: "getUserAddresses" | "getUserSecurityRights" | "listPrivateFlags",
  id: string,
) => ({ operation, query: { user_id: id } }) as const;

export const usersTaken: Check = {
  about: "users by status, and flags",
  proves: ["answer.success", "users.status-integers"],
  run: async ({ run, sample: { users } }) => {
    await run.succeed({ operation: "listUsers", query: { status: "all" } });
    await run.succeed({ operation: "listPublicFlags" });
    for (const [name, status] of Object.entries(STATUSES)) {
      const answer = await readList(run, { operation: "listUsers", query: { status: name } });
      proveInteger(run, answer, { name, status });
    }
    for (const { id } of users.slice(0, MAX_USERS))
      await readList(run, ofUser("listPrivateFlags", String(id)));
  },
};

function proveInteger(
  run: Run,
  answer: Answer,
  { name, status }: { name: string; status: number },
) {
  const integers = [...new Set(recordsOf(answer).map(({ status: integer }) => integer))];
  const isOurs = integers.every((integer) => integer === status);
  const observed = integers.join(", ");
  run.prove("users.status-integers", answer, unless(isOurs, `${name} is ${observed}`));
  if (integers.length === 0) return;
  run.observe({
    decision: "D05",
    question: `Which integer stands for ${name}?`,
    observed,
    value: integers.map(String),
    agrees: isOurs,
  });
}

/** A list that may be empty: where nothing is, 404 and a refusal in the body are as lawful as 200 (D15). */
async function readList(run: Run, ask: Ask): Promise<Answer> {
  const answer = await run.recall(ask);
  const isAnswered = isPassed(answer) || answer.status === 404;
  run.prove("answer.success", answer, unless(isAnswered, `the answer is ${answer.status}`));
  return answer;
}

export const unknownUsers: Check = {
  about: "a user who cannot exist",
  proves: ["users.unknown"],
  run: async ({ run }) => {
    for (const operation of [
      "getUserAddresses",
      "getUserSecurityRights",
      "listPrivateFlags",
    ] as const) {
      const answer = await run.ask(ofUser(operation, NO_USER));
      const isEmpty = isSuccess(answer) && recordsOf(answer).length === 0;
      run.prove(
        "users.unknown",
        answer,
        unless(
          answer.status === 200 && isEmpty,
          `the answer is ${answer.status}${isEmpty ? "" : ", not empty"}`,
        ),
      );
      run.observe({
        decision: "D15",
        question: `How is an unknown user_id answered? (${operation})`,
        observed: `${answer.status}${isEmpty ? " and empty" : ""}`,
        value: answer.status,
        agrees: answer.status === 200 && isEmpty,
      });
    }
  },
};
