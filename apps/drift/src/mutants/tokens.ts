// Mutants of the token response and of rejected credentials.
import { toErrorAnswer } from "../edits/answers.ts";
import { added, field, json, toText } from "../edits/json.ts";
import { filterOf } from "../edits/requests.ts";
import { type Mutant, toMutants } from "./mutant.ts";

export const tokens: readonly Mutant[] = [
  ...toMutants("token", "interface", {
    "token-type-jwt": ["createToken", "type is JWT", field("type", "JWT")],
    "token-expired-at-birth": [
      "createToken",
      "expires lies an hour in the past",
      field("expires", () => new Date(Date.now() - 3_600_000).toISOString()),
    ],
    "token-expires-without-zone": [
      "createToken",
      "expires has no Z",
      field("expires", (value) => toText(value).replace("Z", "")),
    ],
    "token-expires-in-seconds": [
      "createToken",
      "expires is a number of seconds",
      field("expires", 3600),
    ],
    "token-echoes-secret": [
      "createToken",
      "the token response repeats secretKey",
      json((token, request) => ({ ...token, secretKey: filterOf(request)?.secretKey ?? "" })),
    ],
    "refusal-echoes-secret": [
      "createToken",
      "the refusal of wrong credentials repeats secretKey",
      (answer, request) =>
        answer.status === 401
          ? toErrorAnswer(answer, 401, `secretKey ${toText(filterOf(request)?.secretKey)} is wrong`)
          : answer,
    ],
  }),
  ...toMutants("token", "decision", {
    "token-for-a-year": [
      "createToken",
      "a token is good for a year",
      field("expires", () => new Date(Date.now() + 365 * 86_400_000).toISOString()),
    ],
    "token-with-lifetime-added": [
      "createToken",
      "the token response also has expires_in",
      added({ expires_in: 3600 }),
    ],
  }),
];
