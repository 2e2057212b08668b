// The format of refusals: the body of a 401 stands for all of them.
import { isObject } from "@call-media/contract-diff";
import type { Check } from "./check.ts";

export const errorBody: Check = {
  about: "the body of a refusal",
  proves: ["error.body"],
  cost: 1,
  run: async ({ run }) => {
    const answer = await run.recall({ operation: "listPublicFlags", caller: null });
    const { json, headers } = answer;
    const type = headers.get("Content-Type");
    const fields = isObject(json) ? Object.keys(json) : [];
    run.observe({
      decision: "D13",
      question: "What does a refusal hold?",
      observed: isObject(json)
        ? `JSON with ${fields.join(", ")}`
        : `${answer.size} bytes of ${type ?? "no type"}`,
      value: { type, fields },
      agrees:
        isObject(json) && json["isError"] === true && fields.join() === "isError,errorMessage,data",
    });
    const challenge = headers.get("WWW-Authenticate");
    run.observe({
      decision: "D14",
      question: "What does a 401 challenge with?",
      observed: challenge ?? "nothing",
      value: challenge,
      agrees: /^Bearer\b/i.test(challenge ?? ""),
    });
  },
};
