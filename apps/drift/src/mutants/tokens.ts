// The token response and the refusal of credentials.
import { toErrorAnswer } from "../edits/answers.ts";
import { added, field, json, toText } from "../edits/json.ts";
import { filterOf } from "../edits/requests.ts";
import type { Mutant } from "./mutant.ts";

export const tokens: readonly Mutant[] = [
  {
    id: "token-type-jwt",
    class: "token",
    operation: "createToken",
    contract: "interface",
    says: "type is JWT",
    mutate: field("type", "JWT"),
  },
  {
    id: "token-expired-at-birth",
    class: "token",
    operation: "createToken",
    contract: "interface",
    says: "expires lies an hour in the past",
    mutate: field("expires", () => new Date(Date.now() - 3_600_000).toISOString()),
  },
  {
    id: "token-expires-without-zone",
    class: "token",
    operation: "createToken",
    contract: "interface",
    says: "expires has no Z",
    mutate: field("expires", (value) => toText(value).replace("Z", "")),
  },
  {
    id: "token-expires-in-seconds",
    class: "token",
    operation: "createToken",
    contract: "interface",
    says: "expires is a number of seconds",
    mutate: field("expires", 3600),
  },
  {
    id: "token-echoes-secret",
    class: "token",
    operation: "createToken",
    contract: "interface",
    says: "the token response repeats secretKey",
    mutate: json((token, request) => ({ ...token, secretKey: filterOf(request)?.secretKey ?? "" })),
  },
  {
    id: "token-for-a-year",
    class: "token",
    operation: "createToken",
    contract: "decision",
    says: "a token is good for a year",
    mutate: field("expires", () => new Date(Date.now() + 365 * 86_400_000).toISOString()),
  },
  {
    id: "refusal-echoes-secret",
    class: "token",
    operation: "createToken",
    contract: "interface",
    says: "the refusal of wrong credentials repeats secretKey",
    mutate: (answer, request) =>
      answer.status === 401
        ? toErrorAnswer(answer, 401, `secretKey ${toText(filterOf(request)?.secretKey)} is wrong`)
        : answer,
  },
  {
    id: "token-with-lifetime-added",
    class: "token",
    operation: "createToken",
    contract: "decision",
    says: "the token response also has expires_in",
    mutate: added({ expires_in: 3600 }),
  },
];
