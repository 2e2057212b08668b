// Users and flags: valid requests succeed, and which integer stands for which status.
import { toMembers } from "../answers/members.ts";
import { type Answer, type Ask, isPassed } from "../../ask.ts";
import { recordsOf } from "../answer.ts";
import type { Run } from "../run.ts";
import { unless } from "../run.ts";
import type { Check } from "./check.ts";

const STATUSES = { active: 1, inactive: 0, deleted: 2 } as const;
export const MAX_USERS = 4;

export const usersTaken: Check = {
  about: "users by status, and flags",
  proves: ["answer.success", "users.status-integers", "users.caller"],
  cost: 10,
  run: async ({ run, sample: { users }, restricted }) => {
    const everyone: Ask = { operation: "listUsers", query: { status: "all" } };
    proveCaller(run, await run.succeed(everyone));
    if (restricted !== undefined)
      proveCaller(run, await run.ask({ ...everyone, caller: restricted }));
    await run.succeed({ operation: "listPublicFlags" });
    for (const [name, status] of Object.entries(STATUSES)) {
      const answer = await readList(run, { operation: "listUsers", query: { status: name } });
      proveInteger(run, answer, { name, status });
    }
    for (const { id } of users.slice(0, MAX_USERS))
      await readList(run, { operation: "listPrivateFlags", query: { user_id: String(id) } });
  },
};

/** If the caller sees more users, the list cannot show which of them the caller is. */
function proveCaller(run: Run, answer: Answer): void {
  const header = answer.headers.get("Caller");
  if (!isPassed(answer)) return;
  if (header === null) return run.skip("users.caller", "the list of users has no header Caller");
  const caller = toMembers(header);
  const isListed = recordsOf(answer).some(
    ({ id, username }) => String(id) === caller.get("id") && username === caller.get("username"),
  );
  run.prove("users.caller", answer, unless(isListed, `Caller is no user of the list: ${header}`));
}

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

/** A list that may be empty. If it is, 404 and a refusal in the body conform as well as 200 (D15). */
async function readList(run: Run, ask: Ask): Promise<Answer> {
  const answer = await run.recall(ask);
  const isAnswered = isPassed(answer) || answer.status === 404;
  run.prove("answer.success", answer, unless(isAnswered, `the answer is ${answer.status}`));
  return answer;
}
