// Finds words that a mapping turns into their opposite, as "incoming" into "Outbound".
import { type Doubt, toDoubts } from "../../doubts/doubt.ts";
import type { Condition } from "./condition.ts";
import type { Mapping } from "./mapping.ts";
import { plain } from "./name-words.ts";
import { toSteps } from "./names.ts";
import type { Rule } from "./rule.ts";
import type { SampleColumns } from "./sample-columns.ts";
import { listNamesIn } from "./template.ts";

const toPattern = (...words: readonly string[]) =>
  new RegExp(`^(?:${words.join(" ").replaceAll(" ", "|").replaceAll("_", " ")})$`);

// Each pattern is one meaning; those of a family exclude each other.
const FAMILIES: readonly (readonly RegExp[])[] = [
  [
    toPattern(
      "i in inb inbound incoming inward received terminating mt call_in user_in",
      "eingehend eingehende eingehender ankommend kommend entrant entrante entrata in_entrata ricevuta recu recue recibida recebida inkomend inkomende binnenkomend przychodzace przychodzacy входящий входящая gelen",
    ),
    toPattern(
      "o out outb outbound outgoing outward placed made dialed dialled originating mo call_out user_out",
      "ausgehend ausgehende ausgehender abgehend gehend sortant saliente uscita in_uscita uscente effettuata emis emise realizada efetuada uitgaand uitgaande wychodzace wychodzacy исходящий исходящая giden",
    ),
    toPattern("int internal intern intercom station_to_station local interne interno interna"),
  ],
  [
    toPattern(
      "answered answer accepted connected completed taken handled success successful",
      "angenommen beantwortet atendida contestada repondu decroche risposto risposta beantwoord odebrane отвечен",
    ),
    toPattern(
      "not_answered unanswered no_answer noanswer missed not_connected declined rejected abandoned lost failed failure busy",
      "verpasst nicht_angenommen unbeantwortet perdida no_atendida no_contestada nao_atendida abandonada manque non_repondu persa non_risposto gemist niet_beantwoord nieodebrane пропущен",
    ),
  ],
];
// Who wrote a message. "user" is the one or the other, by platform.
const ROLES: readonly RegExp[] = [
  toPattern(
    "agent operator representative staff employee advisor adviser",
    "mitarbeiter agente operatore operador medewerker",
  ),
  toPattern("customer visitor client consumer guest", "kunde besucher cliente klant visitante"),
];
const YES = /^(?:true|yes|y|1)$/i;
const NO = /^(?:false|no|n|0)$/i;

interface Meaning {
  readonly family: number;
  readonly line: number;
}

export function findMeaning(text: string): Meaning | undefined {
  const words = plain(text.trim()).replaceAll(/[\s_-]+/g, " ");
  for (const [family, lines] of FAMILIES.entries()) {
    const line = lines.findIndex((pattern) => pattern.test(words));
    if (line >= 0) return { family, line };
  }
  return undefined;
}

/** The meaning of a text in a column. In a column called "isOutbound", "true" means outbound and "false" inbound. */
export function findMeaningIn(name: string, text: string): Meaning | undefined {
  if (!YES.test(text) && !NO.test(text)) return findMeaning(text);
  const word = name.replace(/^.*[.]/, "").replace(/^(?:is|was|call)[\s_]*/i, "");
  const meaning = findMeaning(word);
  if (meaning === undefined || YES.test(text)) return meaning;
  return meaning.line < 2 ? { ...meaning, line: 1 - meaning.line } : undefined;
}

/** Doubts about words that become their opposite, or are overwritten with it, in fields that no sample expects. */
export function judgeMeanings(mapping: Mapping, sample: SampleColumns): readonly Doubt[] {
  const exchanged = [...mapping.fields, ...mapping.chats.flatMap((one) => one.fields)]
    .filter(({ field }) => !mapping.expected.has(field))
    .flatMap(({ field, rules }) => rules.map((rule) => ({ field, rule })))
    .flatMap(({ field, rule }) =>
      [...listPairs(rule, mapping)].map((pair) => ({ field, key: rule.key, ...pair })),
    )
    .filter(({ field, name, from, to }) => {
      if (field === "party_type") return areOtherRoles(from, to);
      const [one, other] = [findMeaningIn(name, from), findMeaning(to)];
      if (one === undefined || other === undefined || one.family !== other.family) return false;
      // An internal call has both directions.
      return one.line < 2 && one.line !== other.line;
    });
  const texts = [
    ...exchanged.map(({ key, from, to }) => `${key}: "${from}" becomes "${to}"`),
    ...listOverwritten(mapping, sample),
  ];
  return [...toDoubts([...new Set(texts)], OPPOSITE), ...toDoubts(listAlike(mapping), ALIKE)];
}

function areOtherRoles(from: string, to: string): boolean {
  const [one, other] = [from, to].map((text) =>
    ROLES.findIndex((pattern) => pattern.test(plain(text.trim()))),
  );
  return one !== -1 && other !== -1 && one !== other;
}

const OPPOSITE = {
  name: "values",
  effect: "stop",
  text: "the mapping makes the opposite of a word",
  advice: "Correct it, or prove the field by a sample of the mapping",
} as const;
const ALIKE = {
  name: "values",
  effect: "warn",
  text: "the mapping makes one direction of different words",
  advice: "Look whether the words say the same. A sample that expects the field proves it",
} as const;

/** Tables of values with one direction for all. */
const listAlike = ({ fields, expected }: Mapping): readonly string[] =>
  fields
    .filter(({ field }) => !expected.has(field))
    .flatMap(({ rules }) => rules)
    .flatMap(({ key, values }) => {
      const [to = "", ...others] = new Set(values.values());
      if (values.size < 2 || others.length > 0 || findMeaning(to)?.family !== 0) return [];
      if ([...values.keys()].every((text) => findMeaning(text)?.family === 0)) return [];
      return [
        `${key}: ${[...values.keys()].map((text) => JSON.stringify(text)).join(", ")} all become "${to}"`,
      ];
    });

// The meaning of a column shows in this number of rows.
const FEW = 3;
const MOST = 0.9;

/** Fields of which the mapping writes one word for every call, where a column says its opposite of some. */
function listOverwritten(mapping: Mapping, sample: SampleColumns): readonly string[] {
  return mapping.fields.flatMap(({ field, rules: [rule, ...others] }) => {
    const [only] = rule?.from ?? [];
    const to = only?.template.map(({ text }) => text).join("") ?? "";
    const isConstant = rule?.when.length === 0 && only?.template.every(({ isName }) => !isName);
    const meaning = findMeaning(to);
    if (!isConstant || others.length > 0 || meaning === undefined) return [];
    if (mapping.kind !== "call" || mapping.expected.has(field)) return [];
    return sample.list().flatMap(({ name, values }) => {
      const texts = [...values.values()];
      const said = texts.flatMap((text) => {
        const one = findMeaningIn(name, text);
        return one?.family === meaning.family ? [{ text, line: one.line }] : [];
      });
      const opposite = said.find(({ line }) => line < 2 && line !== meaning.line);
      return texts.length < FEW || said.length < MOST * texts.length || opposite === undefined
        ? []
        : [`fields.${field}: "${to}" for every call, and {${name}} has "${opposite.text}"`];
    });
  });
}

interface Pair {
  readonly name: string;
  readonly from: string;
  readonly to: string;
}

/** The texts of tables of values, and those of conditions under which a constant is written. */
export function listPairs(rule: Rule, mapping: Pick<Mapping, "lets">): readonly Pair[] {
  const name = rule.from.flatMap(listNamesIn).at(-1) ?? "";
  const ofTable = [...rule.values].map(([from, to]) => ({ name, from, to }));
  const [only] = rule.from;
  if (name !== "" || only === undefined) return ofTable;
  const to = only.template.map(({ text }) => text).join("");
  return rule.when.flatMap((condition) =>
    listTexts(condition, mapping).map((one) => ({ ...one, to })),
  );
}

/** The texts that a condition compares with. A condition on a named value has those of that value. */
function listTexts(
  { template, texts, holds }: Condition,
  mapping: Pick<Mapping, "lets">,
): readonly Omit<Pair, "to">[] {
  const name = listNamesIn(template).at(-1) ?? "";
  if (texts.length > 0) return texts.map((from) => ({ name, from }));
  const lets = mapping.lets.get(toSteps(name)[0] ?? "") ?? [];
  if (holds(undefined)) return [];
  return lets.flatMap(({ when }) => when.flatMap((one) => listTexts(one, { lets: new Map() })));
}
