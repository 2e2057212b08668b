// Chats: whose messages they are, and their order.
import { parseMoment } from "../../values/moments.ts";
import { toIdentity } from "../archive/records.ts";
import { type Answer, type JsonObject, recordsOf } from "../answer.ts";
import type { Run } from "../run.ts";
import { unless } from "../run.ts";
import type { Check } from "./check.ts";

export const chats: Check = {
  about: "chats",
  proves: ["chat.echo", "chat.order"],
  run: async ({ run, sample: { chats: known } }) => {
    for (const { callId, answer } of known) {
      const messages = recordsOf(answer);
      const other = messages.find(({ call_id: id }) => id !== null && id !== callId);
      run.prove(
        "chat.echo",
        answer,
        other && `a message of ${JSON.stringify(other["call_id"])} is among them`,
      );
      run.prove("chat.order", answer, findDisorder(messages));
    }
    proveDifferent(
      run,
      known.map(({ answer }) => answer),
    );
  },
};

/** Messages may lack a call_id: then two calls with the same chat give themselves away. */
function proveDifferent(run: Run, answers: readonly Answer[]): void {
  const [first, second] = answers;
  if (first === undefined || second === undefined) return;
  const isSame = toIdentity(recordsOf(first)) === toIdentity(recordsOf(second));
  run.prove("chat.echo", second, unless(!isSame, "two calls have the very same messages"));
}

function findDisorder(messages: readonly JsonObject[]): string | undefined {
  const times = messages.map(({ datetime }) => parseMoment(datetime)?.ms ?? NaN);
  const at = times.findIndex((time, index) => time < (times[index - 1] ?? -Infinity));
  return at === -1 ? undefined : `message ${at + 1} is older than the one before it`;
}
