// Parses the conditions of a URL, in the language of --where. Loaded with the first URL that has one.
import { ConditionFault, parseCondition } from "@call-media/conditions";
import { FIELDS } from "../fields.ts";
import type { ReadWhere } from "../route.ts";

export const readWhere: ReadWhere = (text) => {
  try {
    const condition = parseCondition(text, FIELDS);
    return "all" in condition ? condition.all : [condition];
  } catch (error) {
    if (error instanceof ConditionFault) return { column: error.at + 1 };
    throw error;
  }
};
