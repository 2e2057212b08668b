// Proves the texts of a mapping: those that its conditions want, those of its tables of values, and those that stand for no value. One
// that no row has is misspelt, or is looked for in the wrong column.
import { type Doubt, toDoubts } from "../../doubts/doubt.ts";
import type { Watch } from "./bind-rule.ts";
import { createElsewhere } from "./elsewhere.ts";
import { listNamesOf, listRules, type Mapping } from "./mapping.ts";
import { toSteps } from "./names.ts";
import type { Rule } from "./rule.ts";
import { listNamesIn } from "./template.ts";
import { findNear } from "./uses.ts";

/** The names of the texts that samples or rows have to prove. */
export const listProvableTexts = (mapping: Mapping): readonly string[] => [
  ...listConditions(mapping).flatMap(({ texts }) => texts.map(([name]) => name)),
  ...[...mapping.nulls].map(toNullName),
];

/** Conditions with the texts they want, each with its name. */
const listConditions = (mapping: Mapping) =>
  listRules(mapping)
    .flatMap(({ when }) => when)
    .map(({ name, texts, template }) => ({
      name,
      names: listNamesIn(template).flatMap((one) => listSources(mapping, one)),
      texts: texts.map((text): [string, string] => [`${name}: ${JSON.stringify(text)}`, text]),
    }));

/** A column or member itself; of a named value those that it reads. */
function listSources(mapping: Pick<Mapping, "lets">, name: string): readonly string[] {
  const rules = mapping.lets.get(toSteps(name)[0] ?? "") ?? [];
  return [name, ...rules.flatMap((rule) => listNamesOf(rule).map((one) => one.name))];
}

export interface TextProof {
  readonly watch: Pick<Watch, "condition" | "value" | "unmet">;
  readonly seeRecord: (record: unknown) => void;
  readonly seeRow: (columns: readonly string[], values: readonly string[]) => void;
  readonly judge: () => readonly Doubt[];
  /** Texts that no row has. */
  readonly listUnproved: () => readonly string[];
}

/** `isProved` is true of a name that samples prove or that files may lack. */
export function createTextProof(mapping: Mapping, isProved: (name: string) => boolean): TextProof {
  let isSeen = false;
  const unlisted = new Map<string, Unlisted>();
  const tables = new Map(
    listRules(mapping).map(({ key, values, from }) => {
      const texts = [...values.keys()].filter((text) => text !== "*");
      return [
        key,
        {
          texts,
          names: from.flatMap(listNamesIn).flatMap((one) => listSources(mapping, one)),
          unmet: new Set(texts),
          rows: 0,
        },
      ];
    }),
  );
  const listIdle = () =>
    [...tables].filter(
      ([, { texts, names, unmet, rows }]) =>
        rows >= FEW && unmet.size === texts.length && elsewhere.has(texts, names),
    );
  const conditions = new Map(
    listConditions(mapping).map(({ name, texts, names }) => [
      name,
      { texts, names, seen: new Set<string>() },
    ]),
  );
  const listUnmet = () =>
    [...conditions.values()].flatMap(({ texts, seen, names }) =>
      texts
        .filter(([name, text]) => !seen.has(text) && !isProved(name))
        .map(([name, text]) => ({
          name,
          text,
          seen: [...seen],
          isAlone: texts.every(([, one]) => !seen.has(one)),
          isElsewhere: elsewhere.has([text], names),
        })),
    );
  const unmetNulls = new Set([...mapping.nulls].filter((text) => text !== ""));
  const meet = (text: string) => void unmetNulls.delete(text.trim());
  const elsewhere = createElsewhere([
    ...[...conditions.values()].flatMap(({ texts }) => texts.map(([, text]) => text)),
    ...[...tables.values()].flatMap(({ texts }) => texts),
  ]);
  const isUnproved = mapping.proved.size === 0;
  const choices = createChoices(mapping);
  return {
    watch: {
      unmet: choices.see,
      condition: ({ name }, text) => {
        const seen = conditions.get(name)?.seen;
        if (seen !== undefined && seen.size < MAX_UNLISTED) seen.add(text);
      },
      value: (rule, text, isListed) => {
        const table = tables.get(rule.key);
        table?.unmet.delete(text);
        if (table !== undefined) table.rows += 1;
        if (isListed) return;
        const { key, values } = rule;
        const name = `${key}: ${JSON.stringify(text)}`;
        const { rows, near } = unlisted.get(name) ?? {
          rows: 0,
          near: findNear(text, [...(tables.get(key)?.unmet ?? [])]),
        };
        if (values.has("*") && near === undefined) return;
        if (unlisted.has(name) || unlisted.size < MAX_UNLISTED)
          unlisted.set(name, { rows: rows + 1, near });
      },
    },
    seeRecord: (record) => {
      isSeen = true;
      if (unmetNulls.size > 0) listTexts(record).forEach(meet);
      elsewhere.seeRecord(record);
    },
    seeRow: (columns, values) => {
      isSeen = true;
      if (unmetNulls.size > 0) values.forEach(meet);
      elsewhere.seeRow(columns, values);
    },
    judge: () => [
      ...toUnmet(listUnmet()),
      ...(isUnproved ? toIdle(listIdle().map(([key, { texts }]) => ({ key, texts }))) : []),
      ...choices.judge(),
      ...toUnmetNulls(isSeen ? [...unmetNulls].filter((text) => !isProved(toNullName(text))) : []),
      ...toUnlisted(unlisted),
    ],
    listUnproved: () => [
      ...listUnmet().map(({ name }) => name),
      ...[...unmetNulls].map(toNullName),
    ],
  };
}

// Every call has them.
const EVERY = new Set(["ani", "dnis", "call_type"]);

/** Fields of which the conditions leave out some rows, though every call has a value. */
function createChoices({ fields, expected }: Mapping) {
  const rows = new Map(
    fields
      .filter(({ field }) => EVERY.has(field) && !expected.has(field))
      .map(({ rules }) => [rules, 0]),
  );
  return {
    see: (rules: readonly Rule[]): void => {
      const count = rows.get(rules);
      if (count !== undefined) rows.set(rules, count + 1);
    },
    judge: (): readonly Doubt[] =>
      toDoubts(
        [...rows]
          .filter(([, count]) => count > 0)
          .map(([[rule], count]) => {
            const key = rule?.key.replace(/\[0\]$/, "") ?? "";
            return `${key}: ${count.toLocaleString("en")} ${count === 1 ? "row" : "rows"}`;
          }),
        {
          name: "values",
          effect: "warn",
          text: "none of the conditions of a field holds, so that it has no value",
          advice: "Write an alternative for these rows, without a condition or with another one",
        },
      ),
  };
}

interface Unmet {
  readonly name: string;
  readonly text: string;
  readonly seen: readonly string[];
  /** True if no other text of the condition is met. */
  readonly isAlone: boolean;
  /** True if another column or member of a row has the text. */
  readonly isElsewhere: boolean;
}

// A text that is nearly one that rows have is misspelt, and one that another column has is asked of the wrong one; another may be
// that of other files.
function toUnmet(unmet: readonly Unmet[]): readonly Doubt[] {
  const alone = unmet.filter(({ isAlone }) => isAlone);
  const isExchanged = ({ name, text }: Unmet) =>
    alone.some((other) => other.name !== name && other.seen.includes(text));
  const all = unmet.map((one) => ({
    ...one,
    near: findNear(one.text, one.seen),
    isAstray: one.isAlone && one.seen.length > 0 && (one.isElsewhere || isExchanged(one)),
  }));
  const doubtful = all.filter(
    ({ near, isAlone, isAstray, seen }) =>
      near !== undefined || isAstray || (isAlone && seen.length > 0),
  );
  const toText = ({ name, near, seen, isAstray }: (typeof all)[number]) =>
    `${name}; there is ${JSON.stringify(near ?? seen[0] ?? "")}${isAstray ? ", and another column has it" : ""}`;
  return toDoubts(doubtful.map(toText), {
    name: "empty",
    effect: doubtful.some(({ near, isAstray }) => near !== undefined || isAstray) ? "stop" : "warn",
    text: "the mapping has conditions with a text that no row has",
    advice: "Compare them with the rows, or prove them by a sample of the mapping",
  });
}

function listTexts(value: unknown): readonly string[] {
  if (typeof value === "string") return [value];
  const isHolder = typeof value === "object" && value !== null;
  return isHolder ? Object.values(value).flatMap(listTexts) : [];
}

const toNullName = (text: string) => `nulls: ${JSON.stringify(text)}`;

const toUnmetNulls = (texts: readonly string[]) =>
  toDoubts(texts.map(toNullName), {
    name: "empty",
    effect: "warn",
    text: "the mapping has a text for no value that no row has",
    advice: "Look how the export writes that there is no value",
  });

/** Tables of values of which no row has a text, though another column has. */
const toIdle = (tables: readonly { readonly key: string; readonly texts: readonly string[] }[]) =>
  toDoubts(
    tables.map(({ key, texts }) => `${key}: ${JSON.stringify(texts[0])}`),
    {
      name: "values",
      effect: "stop",
      text: "no row has a text of the table of values, and another column has",
      advice: "Look which column the table is for",
    },
  );

// A table of values says little of fewer rows.
const FEW = 5;

interface Unlisted {
  readonly rows: number;
  /** The text of the table that differs in a letter or two. */
  readonly near: string | undefined;
}

const isMisspelt = ({ near }: Pick<Unlisted, "near">) => near !== undefined;

function toUnlisted(unlisted: ReadonlyMap<string, Unlisted>): readonly Doubt[] {
  if (unlisted.size === 0) return [];
  const first = [...unlisted].toSorted(
    ([, one], [, other]) => Number(isMisspelt(other)) - Number(isMisspelt(one)),
  );
  const doubt: Doubt = {
    name: "values",
    effect: first.some(([, one]) => isMisspelt(one)) ? "stop" : "warn",
    text: "the table of values of the mapping does not have the text, which stays as it is",
    count: [...unlisted.values()].reduce((sum, { rows }) => sum + rows, 0),
    unit: "row",
    first: first
      .slice(0, FIRST)
      .map(
        ([text, { rows, near }]) =>
          `${text} (${rows})${near === undefined ? "" : `, but "${near}"`}`,
      ),
    advice: 'Add it to "values", or "*" for all others',
  };
  return [doubt];
}

const FIRST = 10;

// Sources choose these texts; they must not fill the memory.
const MAX_UNLISTED = 1_000;
