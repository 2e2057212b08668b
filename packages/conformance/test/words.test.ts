// The words that the kit searches for expose each wrong way of searching. What a few records cannot show is not asked.
import { matches, parseQuery, toSearched, toTokens } from "@call-media/words";
import { expect, test } from "vitest";
import {
  chooseAccents,
  chooseCase,
  chooseEvery,
  chooseFields,
  chooseParts,
  chooseUnspaced,
} from "../src/call-media/words/choose-words.ts";
import {
  chooseChat,
  chooseFiltered,
  chooseNumber,
  choosePhrase,
} from "../src/call-media/words/choose-phrases.ts";
import type { Choice, Probe } from "../src/call-media/words/probe.ts";
import { toVocabulary } from "../src/call-media/words/vocabulary.ts";

interface Call {
  readonly call_id: string;
  readonly transcript?: string;
  readonly notes?: string;
  readonly agent_name?: string;
  readonly customer_first_name?: string;
  readonly customer_last_name?: string;
  readonly company?: string;
  readonly ani?: string;
  readonly campaign?: string;
}

const CALLS: readonly Call[] = [
  {
    call_id: "1",
    campaign: "Billing",
    agent_name: "Leïla Benali",
    transcript: "The refund for the estimated meter came",
    notes: "Promised early termination",
    ani: "6145550121",
  },
  {
    call_id: "2",
    campaign: "Sales",
    agent_name: "Owen Pritchard",
    transcript: "Early on Monday he asked for the termination of a refunding agreement",
    notes: "Estimated elsewhere",
    ani: "6145550177",
  },
  {
    call_id: "3",
    campaign: "Billing",
    agent_name: "Owen Pritchard",
    transcript: "The unrefundable meter was Benali property",
    company: "梧桐茶馆",
    ani: "(320) 555-0150",
  },
  { call_id: "4", campaign: "Sales", transcript: "The line was quiet", ani: "anonymous" },
];

const vocabulary = toVocabulary(CALLS.map((call) => ({ ...call })));

const choices = (of = vocabulary): readonly Choice[] => [
  chooseEvery(of),
  chooseFields(of),
  chooseCase(of),
  chooseAccents(of),
  chooseUnspaced(of),
  chooseParts(of),
  choosePhrase(of),
  chooseNumber(of),
  chooseFiltered(of, "searchMetadata"),
];

type Search = (call: Call, words: string, isMeant: boolean) => boolean;

const textOf = ({ call_id: _id, campaign: _campaign, ani: _ani, ...call }: Call): string =>
  Object.values(call).join(" ");
const lower = (call: Call): string => textOf(call).toLowerCase();
const own = (call: Call, words: string): boolean => matches(parseQuery(words), toSearched(call));
const isWord = (words: string): boolean => /^\p{L}+$/u.test(words);

const WRONG: Readonly<Record<string, Search>> = {
  "finds all": () => true,
  "finds nothing": () => false,
  "takes one word for all": (call, words) =>
    /^\p{L}+ \p{L}+$/u.test(words)
      ? words.split(" ").some((word) => own(call, word))
      : own(call, words),
  "leaves notes out": ({ notes: _notes, ...call }, words) => own(call, words),
  "leaves companies out": ({ company: _company, ...call }, words) => own(call, words),
  "leaves numbers out": ({ ani: _ani, ...call }, words) => own(call, words),
  "goes by letter case": (call, words, isMeant) =>
    isMeant && (!/^[A-Za-z]+$/.test(words) || textOf(call).normalize("NFD").includes(words)),
  "goes by accents": (call, words, isMeant) =>
    isMeant && (!isWord(words) || lower(call).includes(words.toLowerCase())),
  "takes a run without spaces for a word": (call, words, isMeant) =>
    isMeant && (!/\p{Script=Han}/u.test(words) || textOf(call).split(/\s/).includes(words)),
  "finds parts of words": (call, words, isMeant) =>
    isMeant || (isWord(words) && lower(call).includes(words)),
  "ignores stars": (call, words) => own(call, words.replaceAll("*", "")),
  "finds parts with a star": (call, words, isMeant) =>
    isMeant || (words.endsWith("*") && lower(call).includes(words.slice(0, -1))),
  "ignores quotation marks": (call, words) => own(call, words.replaceAll('"', "")),
  "turns phrases": (call, words, isMeant) =>
    isMeant ||
    (words.startsWith('"') &&
      own(call, `"${words.replaceAll('"', "").split(" ").toReversed().join(" ")}"`)),
  "finds digits anywhere": (call, words, isMeant) =>
    isMeant || (/^\d+$/.test(words) && (call.ani ?? "").replaceAll(/\D/g, "").includes(words)),
  "takes the country code for a part of the number": (_call, words, isMeant) =>
    isMeant && !words.startsWith("+"),
};

const probesOf = (all: readonly Choice[]): Probe[] =>
  all.flatMap((choice) => (typeof choice === "string" ? [] : choice));

test("a few calls are enough for every choice", () => {
  expect(choices().filter((choice) => typeof choice === "string")).toEqual([]);
});

test.each(Object.entries(WRONG))(
  "a search that %s finds other records than the right one",
  (_name, search) => {
    const told = probesOf(choices()).filter(({ words }) =>
      CALLS.some((call) => {
        const isMeant = own(call, words);
        return search(call, words, isMeant) !== isMeant;
      }),
    );
    expect(told.length).toBeGreaterThan(0);
  },
);

test("a word with a filter is in a record that fits the filter and in another one", () => {
  const [probe] = probesOf([chooseFiltered(vocabulary, "searchMetadata")]);
  const having = CALLS.filter((call) => own(call, probe?.words ?? "none"));
  const [[field, value] = []] = Object.entries(probe?.filter ?? {});
  expect(field).toBe("campaign");
  expect(new Set(having.map(({ campaign }) => campaign === value))).toEqual(new Set([true, false]));
});

test("what the calls cannot show is not asked, and the reason is given", () => {
  const [quiet] = CALLS.slice(-1);
  const reasons = choices(toVocabulary([{ ...quiet }])).filter((one) => typeof one === "string");
  expect(reasons).toEqual([
    "no record has two words that other records have one of",
    "no record has a word with an accent",
    "no record has a text in a script without spaces",
    "no three letters begin a word and stand inside of another",
    "no record has two words apart that stand next to each other in another",
    "no number has an ending of its own",
    "no record has a word and a filter field that other records have one of",
  ]);
  expect(chooseChat(vocabulary, [])).toMatch(/^no chat was found/);
});

test("words are those that a token is made of", () => {
  const probes = probesOf(choices());
  expect(probes.map(({ words }) => toTokens(words).length).filter((count) => count > 32)).toEqual(
    [],
  );
});
