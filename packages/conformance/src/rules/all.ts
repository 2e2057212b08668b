// The rules that hold for every document, without any relation.
import type { DocumentRule } from "./rule.ts";
import { success } from "./success.ts";

export const documentRules: readonly DocumentRule[] = [success];
