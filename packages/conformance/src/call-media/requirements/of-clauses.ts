// Requirements of the rules that hold without relations, by witness.
import { WAYS } from "../../rules/auth.ts";
import { KEY_SCHEME } from "../target.ts";

export const BY_WITNESS: Readonly<Record<string, string>> = {
  [WAYS.none]: "auth.missing",
  [WAYS.query]: "auth.missing",
  [WAYS.bare]: "auth.malformed",
  [WAYS.unknown]: "auth.random",
  [WAYS.otherCase]: "auth.random",
  [WAYS.less]: "auth.random",
  [WAYS.more]: "auth.random",
  [WAYS.scheme]: "auth.scheme",
  [WAYS.expired]: "auth.expired",
  "the scheme in lower case": "auth.scheme-case",
  [`credentials of ${KEY_SCHEME}`]: "auth.api-key",
};
