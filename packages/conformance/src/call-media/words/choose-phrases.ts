// Chooses probes: phrases, telephone numbers, words of chats, words with a filter.
import { fieldsOf } from "@call-media/api";
import { toStoredDigits, toTokens } from "@call-media/words";
import { callIdOf, type ChatSample } from "../archive/sample.ts";
import type { SearchOperation } from "../archive/searches.ts";
import type { JsonObject } from "@call-media/contract-diff";
import { recordsOf } from "../answer.ts";
import { selectEqual, toFilterValue } from "../checks/filter-values.ts";
import { type Choice, isFew, isPlain, listRareWords, type Probe, richest } from "./probe.ts";
import { type Entry, selectMeant, type Vocabulary } from "./vocabulary.ts";

/** Two adjacent words of a text, and the records with both. */
interface Neighbours {
  readonly one: string;
  readonly other: string;
  readonly both: readonly Entry[];
}

export function choosePhrase(vocabulary: Vocabulary): Choice {
  const neighbours = listNeighbours(vocabulary);
  const isApart = ({ one, other, both }: Neighbours) =>
    selectMeant(both, `"${one} ${other}"`).length < both.length;
  const phrase = neighbours.find(isApart);
  if (phrase === undefined)
    return "no record has two words apart that stand next to each other in another";
  const turned = neighbours.find(
    ({ one, other, both }) => selectMeant(both, `"${other} ${one}"`).length === 0,
  );
  const across = findAcross(vocabulary);
  const probe = { id: "words.phrase" } as const;
  return [
    { ...probe, about: "a phrase", words: `"${phrase.one} ${phrase.other}"` },
    ...(turned === undefined
      ? []
      : [
          {
            ...probe,
            about: "a phrase in the other order",
            words: `"${turned.other} ${turned.one}"`,
          },
        ]),
    ...(across === undefined
      ? []
      : [{ ...probe, about: "a phrase over the ends of two texts", words: across }]),
  ];
}

const MAX_NEIGHBOURS = 500;

function listNeighbours(vocabulary: Vocabulary): Neighbours[] {
  const pairs = richest(vocabulary).flatMap(({ texts }) =>
    texts.flatMap(({ tokens }) =>
      tokens.flatMap(({ text: one }, index) => {
        const other = tokens[index + 1]?.text ?? "";
        return isPlain(one) && isPlain(other) && one !== other ? [[one, other] as const] : [];
      }),
    ),
  );
  return pairs
    .slice(0, MAX_NEIGHBOURS)
    .map(([one, other]) => ({ one, other, both: selectBoth(vocabulary, one, other) }))
    .filter(({ both }) => isFew(both));
}

function selectBoth({ having }: Vocabulary, one: string, other: string): readonly Entry[] {
  return (having.get(one) ?? []).filter(({ tokens }) => tokens.has(other));
}

/** The last word of a field and the first word of the next one, in the order of the record. */
function findAcross(vocabulary: Vocabulary): string | undefined {
  for (const { record, texts } of richest(vocabulary)) {
    const fields = Object.keys(record);
    const inOrder = texts
      .filter(({ from }) => fields.includes(from))
      .toSorted((one, other) => fields.indexOf(one.from) - fields.indexOf(other.from));
    for (const [index, { tokens }] of inOrder.entries()) {
      const [last, first] = [tokens.at(-1)?.text ?? "", inOrder[index + 1]?.tokens[0]?.text ?? ""];
      if (!isPlain(last) || !isPlain(first)) continue;
      const both = selectBoth(vocabulary, last, first);
      const words = `"${last} ${first}"`;
      if (isFew(both) && selectMeant(both, words).length === 0) return words;
    }
  }
  return undefined;
}

const MIN_NUMBER = 7;
/** 0 and 1 may be dialled before a number (D30). */
const NUMBER = /^[2-9]\d+$/;

export function chooseNumber(vocabulary: Vocabulary): Choice {
  const numbers = vocabulary.entries.flatMap(({ numbers: own }) => own.map(({ text }) => text));
  const all = [...new Set(numbers)];
  const stored = all.map(toStoredDigits).filter(({ length }) => length >= MIN_NUMBER);
  const ending = stored.map((digits) => digits.slice(-4)).find((own) => isTelling(vocabulary, own));
  if (ending === undefined) return "no number has an ending of its own";
  const digits = stored.find((own) => NUMBER.test(own) && isTelling(vocabulary, `+1-${own}`));
  const within = stored
    .map((own) => own.slice(-6, -2))
    .find((own) => selectMeant(vocabulary.entries, own).length === 0);
  const probe = { id: "words.number" } as const;
  const [start, middle, end] = [digits?.slice(0, -7), digits?.slice(-7, -4), digits?.slice(-4)];
  return [
    { ...probe, about: "the last four digits", words: ending },
    ...(within === undefined
      ? []
      : [{ ...probe, about: "four digits within a number", words: within }]),
    ...(digits === undefined
      ? []
      : [
          { ...probe, about: "a country code", words: `+1-${start}-${middle}-${end}` },
          { ...probe, about: "digits with a 0 before them", words: `0${start} ${middle} ${end}` },
        ]),
  ];
}

/** True if few records have the number, and some record lacks it. */
function isTelling({ entries }: Vocabulary, words: string): boolean {
  const meant = selectMeant(entries, words);
  return isFew(meant) && meant.length < entries.length;
}

export function chooseChat({ entries, having }: Vocabulary, chats: readonly ChatSample[]): Choice {
  const probes = chats.flatMap(({ callId, answer }): Probe[] => {
    const own = entries.filter(({ record }) => callIdOf(record) === callId);
    const texts = recordsOf(answer).flatMap(({ transcript }) =>
      typeof transcript === "string" ? [transcript] : [],
    );
    const word = texts
      .flatMap((text) => toTokens(text))
      .find(
        ({ text: token, isUnspaced }) =>
          !isUnspaced &&
          isPlain(token) &&
          !own.some(({ tokens }) => tokens.has(token)) &&
          !((having.get(token)?.length ?? 0) > 0 && !isFew(having.get(token) ?? [])),
      );
    if (own.length === 0 || word === undefined) return [];
    const also = own.map(({ record }) => record);
    return [{ id: "words.chat", about: "a word of a chat", words: word.text, also }];
  });
  return probes.length > 0
    ? probes.slice(0, 1)
    : "no chat was found with a word that its call's records have not";
}

/** A word and a filter: some record matches only the word, another one only the filter. */
export function chooseFiltered(vocabulary: Vocabulary, operation: SearchOperation): Choice {
  const fields = fieldsOf(operation === "searchMetadata" ? "MetadataFilter" : "CustomFieldsFilter");
  const records = vocabulary.entries.map(({ record }) => record);
  for (const entry of richest(vocabulary))
    for (const { token } of listRareWords(entry, vocabulary).slice(0, MAX_PER_RECORD)) {
      const having = (vocabulary.having.get(token) ?? []).map(({ record }) => record);
      if (having.length === 1) continue;
      const filter = listFilters(entry, fields).find((one) => {
        const both = selectEqual(having, one).length;
        return both < having.length && both < selectEqual(records, one).length;
      });
      if (filter !== undefined)
        return [{ id: "words.filter", about: "a word and a filter", words: token, filter }];
    }
  return "no record has a word and a filter field that other records have one of";
}

const MAX_PER_RECORD = 5;

function listFilters({ record }: Entry, fields: readonly string[]): JsonObject[] {
  return fields.flatMap((field) => {
    const value = toFilterValue(field, record[field]);
    return typeof value === "string" && !/phone|datetime/.test(field) ? [{ [field]: value }] : [];
  });
}
