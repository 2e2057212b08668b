// The rules that hold for every document, without relations.
import { auth } from "./auth.ts";
import { http } from "./http.ts";
import { input } from "./input.ts";
import { links } from "./links.ts";
import { matrix } from "./matrix.ts";
import type { DocumentRule } from "./rule.ts";
import { sameJson, sameQuery } from "./same.ts";
import { success } from "./success.ts";

export const documentRules: readonly DocumentRule[] = [
  success,
  auth,
  input,
  http,
  sameJson,
  sameQuery,
  links,
  matrix,
];
