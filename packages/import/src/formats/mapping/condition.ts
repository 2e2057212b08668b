// Conditions of a mapping: { "{direction}": "outbound", "{taken}": true }. All have to hold.
import { toKind } from "@call-media/store/values";
import { isObject } from "../../json.ts";
import { fail, isTexts, parsePattern } from "./keys.ts";
import { type KeyedTemplate, parseTemplate } from "./template.ts";

export interface Condition {
  /** Where it stands in the mapping, for messages. */
  readonly name: string;
  readonly template: KeyedTemplate;
  /** The texts of which one has to be there; none of a condition of another kind. */
  readonly texts: readonly string[];
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
    const name = `${key} ${text}`;
    return { name, template, ...createTest(`${key}: "${text}"`, wanted) };
  });
}

/** `null` matches a missing value, `true` any value, a list one of its texts, and `null` in it a missing value; patterns ignore case. */
function createTest(key: string, wanted: unknown): Omit<Condition, "name" | "template"> {
  if (wanted === true) return { texts: [], holds: (text) => text !== undefined };
  if (isObject(wanted) && Object.keys(wanted).join() === "match") {
    const pattern = parsePattern(`${key}.match`, wanted["match"], { ignoresCase: true });
    return { texts: [], holds: (text) => text !== undefined && pattern?.test(text) === true };
  }
  const list: readonly unknown[] = Array.isArray(wanted) ? wanted : [wanted];
  const texts = list.filter((one) => one !== null);
  if (list.length === 0 || !isTexts(texts))
    fail(
      `${key}: must be a text, null, a list of these, true or { "match" }, not ${toKind(wanted)}`,
    );
  const isMissingFine = texts.length < list.length;
  return { texts, holds: (text) => (text === undefined ? isMissingFine : texts.includes(text)) };
}
