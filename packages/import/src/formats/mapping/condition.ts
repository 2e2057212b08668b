// Conditions of a mapping: { "{direction}": "outbound", "{taken}": true }. All have to hold.
import { toKind } from "@call-media/store/values";
import { isObject } from "../../json.ts";
import { fail, parsePattern } from "./keys.ts";
import { type KeyedTemplate, parseTemplate } from "./template.ts";

export interface Condition {
  readonly template: KeyedTemplate;
  readonly holds: (text: string | undefined) => boolean;
}

/** Throws `ImportError`, naming the key. */
export function parseConditions(key: string, given: unknown): readonly Condition[] {
  if (given === undefined) return [];
  if (!isObject(given) || Object.keys(given).length === 0)
    fail(`${key}: must be an object such as { "{direction}": "outbound" }`);
  return Object.entries(given).map(([text, wanted]) => {
    const template = parseTemplate(key, text);
    if (!template.template.some(({ isName }) => isName))
      fail(`${key}: "${text}" names nothing: write "{${text}}"`);
    return { template, holds: createTest(`${key}: "${text}"`, wanted) };
  });
}

/** `null` is no value, `true` any, a list one of its texts; a pattern is compared without regard to case. */
function createTest(key: string, wanted: unknown): Condition["holds"] {
  if (wanted === null) return (text) => text === undefined;
  if (wanted === true) return (text) => text !== undefined;
  if (isObject(wanted) && Object.keys(wanted).join() === "match") {
    const pattern = parsePattern(`${key}.match`, wanted["match"], "i");
    return (text) => text !== undefined && pattern?.test(text) === true;
  }
  const texts: readonly unknown[] = Array.isArray(wanted) ? wanted : [wanted];
  if (texts.length === 0 || !texts.every((text) => typeof text === "string"))
    fail(
      `${key}: must be a text, a list of texts, null, true or { "match" }, not ${toKind(wanted)}`,
    );
  return (text) => text !== undefined && texts.includes(text);
}
