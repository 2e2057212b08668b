// The words that a mapping itself writes into records: no row of a file can show that one of them is misspelt.
import { closestMatch } from "leven";
import { type Doubt, toDoubts } from "../../doubts/doubt.ts";
import type { Mapping } from "./mapping.ts";
import { findMeaning, findMeaningIn, listPairs } from "./meanings.ts";
import type { Rule } from "./rule.ts";
import { type KeyedTemplate, listNamesIn } from "./template.ts";

interface Word {
  readonly key: string;
  readonly text: string;
}

/** Constants of its fields, and what its tables of values give. */
export function listWords({ fields, chats }: Pick<Mapping, "fields" | "chats">): readonly Word[] {
  const rules = [...fields, ...chats.flatMap((one) => one.fields)].flatMap((one) => one.rules);
  return rules.flatMap(listWordsOf).filter(({ text }) => /\p{L}{2}/u.test(text));
}

function listWordsOf({ key, from, values }: Rule): readonly Word[] {
  const constants = from
    .filter(({ template }) => template.every(({ isName }) => !isName))
    .map(({ template }) => template.map(({ text }) => text).join(""));
  return [...constants, ...values.values()].map((text) => ({ key, text }));
}

/** Which of several rows or columns a field reads, and a direction that it says of every call. */
function listChoices({ fields, lets, media }: Mapping): readonly string[] {
  const rules = [...lets.values(), ...fields.map((one) => one.rules), ...media].flat();
  const ofFields = fields.flatMap((one) => (one.rules.length === 1 ? one.rules : []));
  return [
    ...rules.flatMap(({ key, row }) => (row === undefined ? [] : [`${key}.row: "${row}"`])),
    ...rules.filter((rule) => rule.when.length > 0 && !isSaid(rule, lets)).map(toChoiceText),
    ...ofFields
      .filter(({ from, when }) => when.length === 0 && from.flatMap(listNamesIn).length === 0)
      .filter((rule) => listWordsOf(rule).some(({ text }) => findMeaning(text)?.family === 0))
      .map((rule) => `${toChoiceText(rule)} for every call`),
  ];
}

/** The names that a file without a header has from the mapping alone. */
const listOwnNames = ({ columns, lines }: Mapping): readonly string[] =>
  columns === undefined
    ? []
    : [
        `${lines === undefined ? "table.columns" : "lines"}: ${columns.length.toLocaleString("en")} names that the file does not have`,
      ];

/** True of a word that its condition says: "Inbound" where `{way}` is "in". */
function isSaid(rule: Rule, lets: Mapping["lets"]): boolean {
  const pairs = rule.from.flatMap(listNamesIn).length === 0 ? listPairs(rule, { lets }) : [];
  const meanings = pairs.map(({ name, from, to }) => [findMeaningIn(name, from), findMeaning(to)]);
  return (
    pairs.length > 0 &&
    meanings.every(([one, other]) => one?.family === other?.family && one?.line === other?.line) &&
    meanings.every(([one]) => one !== undefined)
  );
}

function toChoiceText({ key, from, when }: Rule): string {
  const conditions = when.map(
    ({ name, texts }) =>
      `${name.replace(/^.*[.]when /, "")}${texts.length === 0 ? "" : ` is ${texts.map((text) => JSON.stringify(text)).join(" or ")}`}`,
  );
  const what = from.map(toText).join(" or ");
  return `${key}: ${what}${conditions.length === 0 ? "" : ` when ${conditions.join(", ")}`}`;
}

const toText = ({ template }: KeyedTemplate) =>
  template.every(({ isName }) => !isName)
    ? JSON.stringify(template.map(({ text }) => text).join(""))
    : template.map(({ text, isName }) => (isName ? `{${text}}` : text)).join("");

/**
 * What is in doubt about a mapping without samples: words that are nearly one of `known`, those of the mappings that ship, stop. Others
 * are said, and so are choices that rows do not show.
 */
export function judgeWords(mapping: Mapping, known: readonly string[]): readonly Doubt[] {
  const unknown = listWords(mapping)
    .filter(({ text }) => !known.includes(text))
    .map((word) => ({
      ...word,
      near: closestMatch(word.text, [...known], { maxDistance: word.text.length > 5 ? 2 : 1 }),
    }));
  const misspelt = unknown.filter(({ near }) => near !== undefined);
  const toWordText = ({ key, text, near }: (typeof unknown)[number]) =>
    `${key}: "${text}"${near === undefined ? "" : `, for "${near}"`}`;
  if (misspelt.length > 0) return toDoubts(misspelt.map(toWordText), MISSPELT);
  const all = [...unknown.map(toWordText), ...listChoices(mapping), ...listOwnNames(mapping)];
  return toDoubts(all, UNPROVED);
}

const MISSPELT = {
  name: "samples",
  effect: "stop",
  text: "the mapping writes a word that is nearly one which other mappings write, and it has no samples",
  advice: "Correct it, or prove it by a sample of the mapping",
} as const;

const UNPROVED = {
  name: "samples",
  effect: "warn",
  text: "the mapping has no samples, and no row can prove its own words and choices",
  advice:
    'Look whether they are as they should be; "samples" of the mapping, lines with the records that they are, prove them',
} as const;
