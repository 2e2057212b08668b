// Proves the names of a mapping: one that no record or no header has is probably misspelt, and its values would be lost. So is a
// pattern that no text fits.
import { closestMatch } from "leven";
import { type Doubt, type DoubtName, toDoubts } from "../../doubts/doubt.ts";
import { ImportStopped } from "../../doubts/import-stopped.ts";
import { isObject } from "../../json.ts";
import { toLetters } from "../columns.ts";
import type { Watch } from "./bind-rule.ts";
import { createElsewhere } from "./elsewhere.ts";
import { listNames, listNamesOf, listRules, type Mapping } from "./mapping.ts";
import {
  createColumnFinder,
  findFileName,
  findInColumns,
  type MissingColumn,
  readHolder,
  toColumnsText,
  toMissingText,
  toSteps,
} from "./names.ts";
import { type Find, listNamesIn } from "./template.ts";
import { createUnits } from "./units.ts";

/** A name that a mapping reads from its rows. */
interface Use {
  readonly name: string;
  readonly key: string;
  /** Its path from the record, with `*` for the elements of a rule. */
  readonly steps: readonly string[];
  /** The join whose records have it; undefined of those that are calls. */
  readonly join: string | undefined;
}

/** Names of columns and members; those of files and of named values are none. */
function listUses(mapping: Mapping): readonly Use[] {
  const uses = new Map<string, Use>();
  for (const rule of listRules(mapping))
    for (const { key, name } of listNamesOf(rule)) {
      const [first = "", ...rest] = toSteps(name);
      if (mapping.joins.has(first)) {
        uses.set(name, { name, key, steps: rest, join: first });
        continue;
      }
      const element = mapping.lets.get(first)?.find(({ isElement }) => isElement);
      const isInside = first === "$each" || (element !== undefined && rest.length > 0);
      if (!isInside && (first.startsWith("$") || mapping.lets.has(first))) continue;
      const holder = first === "$each" ? rule : element;
      const path = toSteps(holder?.of ?? holder?.each ?? "");
      const steps = isInside ? [...path, ...rest] : [first, ...rest];
      uses.set(isInside ? steps.join(".") : name, { name, key, steps, join: undefined });
    }
  for (const [join, { key: values }] of mapping.joins)
    for (const { key, name } of values.flat().flatMap(listNamesOf))
      uses.set(`${join}.${name}`, { name: `${join}.${name}`, key, steps: toSteps(name), join });
  return [...uses.values()];
}

/** How well a name is proved: nothing holds it, what holds it lacks it, it is there and empty, it gives a value. */
const UNHELD = 0;
const LACKING = 1;
const EMPTY = 2;
const GIVEN = 3;

export interface Proof {
  readonly watch: Watch;
  /** A JSON record: a call, or one of a join. */
  readonly see: (record: Readonly<Record<string, unknown>>, join?: string) => void;
  /** Makes a function for the rows of a table. */
  readonly seeTable: (header: TableHeader) => (values: readonly string[]) => void;
  readonly judge: () => readonly Doubt[];
  /** Names and patterns that gave no value. */
  readonly listUnproved: () => readonly string[];
}

/** The names and the keys of patterns that samples or rows have to prove. */
export const listProvable = (mapping: Mapping): readonly string[] => [
  ...listUses(mapping).map(({ name }) => name),
  ...listRules(mapping).flatMap(({ key, match }) => (match === undefined ? [] : `${key}.match`)),
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

export function createProof(mapping: Mapping): Proof {
  const { optional, proved } = mapping;
  const isProved = (name: string) => optional.has(name) || proved.has(name);
  const uses = listUses(mapping).filter(({ name }) => !optional.has(name));
  const headers = new Map<string, TableHeader>();
  const open = new Map(uses.map((use) => [use, UNHELD]));
  // Calls are undefined.
  const joinsSeen = new Set<string | undefined>();
  const patterns = new Map<string, { isFit: boolean; text?: string }>();
  const unlisted = new Map<string, Unlisted>();
  const units = createUnits();
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
  const unmetNulls = new Set([...mapping.nulls].filter((text) => text !== "" && !mapping.isOld));
  const meet = (text: string) => void unmetNulls.delete(text.trim());
  const elsewhere = createElsewhere([
    ...[...conditions.values()].flatMap(({ texts }) => texts.map(([, text]) => text)),
    ...[...tables.values()].flatMap(({ texts }) => texts),
  ]);
  // The records that lack a name.
  const lacking = new Map<Use, unknown>();
  const note = (find: (use: Use) => number, record?: unknown, join?: string): void => {
    joinsSeen.add(join);
    for (const [use, known] of open) {
      if (use.join !== join) continue;
      const found = find(use);
      if (found === LACKING && record !== undefined) lacking.set(use, record);
      if (found === GIVEN || (found === EMPTY && proved.has(use.name))) open.delete(use);
      else if (found > known) open.set(use, found);
    }
  };
  const listOpen = (state: number) =>
    [...open]
      .filter(([use, found]) => found === state && joinsSeen.has(use.join))
      .map(([use]) => use);
  const listUnfit = () => [...patterns].filter(([key, { isFit }]) => !isFit && !isProved(key));
  for (const { key, match } of listRules(mapping))
    if (match !== undefined) patterns.set(`${key}.match`, { isFit: false });
  return {
    watch: {
      match: (key, text, isFit) => {
        const known = patterns.get(`${key}.match`);
        if (known?.isFit !== true) patterns.set(`${key}.match`, { isFit, text });
      },
      condition: ({ name }, text) => {
        const seen = conditions.get(name)?.seen;
        if (seen !== undefined && seen.size < MAX_UNLISTED) seen.add(text);
      },
      duration: units.see,
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
    see: (record, join) => {
      if (unmetNulls.size > 0) listTexts(record).forEach(meet);
      elsewhere.seeRecord(record);
      note(({ steps }) => look(record, steps, mapping.nulls), record, join);
    },
    seeTable: (header) => {
      const { file, columns } = header;
      if (listMissingColumns(columns, mapping).some(({ name }) => proved.has(name)))
        headers.set(file, header);
      const findAt = createColumnFinder(columns, mapping.isOld);
      const indexes = new Map(uses.map((use) => [use, findAt(use.name)[0]]));
      return (values) => {
        if (unmetNulls.size > 0) values.forEach(meet);
        elsewhere.seeRow(columns, values);
        note((use) => {
          const index = indexes.get(use);
          if (index === undefined) return LACKING;
          return mapping.nulls.has(values[index]?.trim() ?? "") ? EMPTY : GIVEN;
        });
      };
    },
    judge: () => [
      ...toLacking(
        listOpen(LACKING).flatMap((use) => {
          const record = lacking.get(use);
          return record === undefined ? [] : { ...use, record };
        }),
        mapping,
      ),
      ...toMissing([...headers.values()], mapping, "warn"),
      ...toUnfit(
        listUnfit().flatMap(([key, { text }]) => (text === undefined ? [] : { key, text })),
      ),
      ...toEmpty([...listOpen(EMPTY), ...listOpen(UNHELD).filter(({ name }) => !proved.has(name))]),
      ...toUnmet(listUnmet()),
      ...(proved.size === 0 ? toIdle(listIdle().map(([key, { texts }]) => ({ key, texts }))) : []),
      ...toUnmetNulls(
        joinsSeen.size > 0 ? [...unmetNulls].filter((text) => !isProved(toNullName(text))) : [],
      ),
      ...toUnlisted(unlisted),
      ...(proved.size === 0 ? units.judge() : []),
    ],
    listUnproved: () => [
      ...[...open.keys()].map(({ name }) => name),
      ...listUnfit().map(([key]) => key),
      ...listUnmet().map(({ name }) => name),
      ...[...unmetNulls].map(toNullName),
    ],
  };
}

/** A name with a record that lacks it. */
interface Lacking extends Use {
  readonly record: unknown;
}

function toLacking(
  all: readonly Lacking[],
  { proved, isSampled }: Pick<Mapping, "proved" | "isSampled">,
): readonly Doubt[] {
  const toDoubt = (uses: readonly Lacking[] = [], effect: Doubt["effect"]) =>
    toDoubts(
      uses.map(toFault),
      {
        name: "empty",
        effect,
        text: "the mapping has names that no record has",
        advice:
          effect === "warn"
            ? LOOK_FOR_OTHERS
            : `Correct them, or ${toOptional(uses.map(({ name }) => name))}`,
      },
      effect === "warn" ? {} : { shown: uses.length },
    );
  // An export leaves out what has no value; what got another name stands beside it, where no sample has it.
  const isRenamed = ({ record, steps }: Lacking) =>
    findMissing(record, steps)?.members.some((member) => !isSampled(member));
  const doubtful = all.filter((one) => !proved.has(one.name) || isRenamed(one));
  const byProof = Object.groupBy(doubtful, ({ name }) => (proved.has(name) ? "warn" : "stop"));
  return [...toDoubt(byProof.stop, "stop"), ...toDoubt(byProof.warn, "warn")];
}

const LOOK_FOR_OTHERS =
  "Nothing has to be done if the export never had them; if another name has the value now, a mapping (--map) can name it";

const toOptional = (names: readonly string[]) =>
  `list those that other files have: "optional": ${JSON.stringify(names)}`;

const toUnfit = (patterns: readonly { readonly key: string; readonly text: string }[]) =>
  toDoubts(
    patterns.map(({ key, text }) => `${key}: not ${JSON.stringify(text.slice(0, MAX_SHOWN))}`),
    {
      name: "empty",
      effect: "stop",
      text: "the mapping has patterns that fit no text",
      advice: "Correct them, or prove them by a sample of the mapping",
    },
  );

const toEmpty = (uses: readonly Use[]) =>
  toDoubts(
    uses.map(({ key, name }) => `${key}: {${name}}`),
    {
      name: "empty",
      effect: "warn",
      text: "the mapping has names that are empty in all rows",
      advice: "Look whether another column or member has the value",
    },
  );

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

// Of fewer rows a table of values says little.
const FEW = 5;

interface Unlisted {
  readonly rows: number;
  /** What stands in the table and differs in a letter or two. */
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

function look(value: unknown, steps: readonly string[], nulls: ReadonlySet<string>): number {
  const [step, ...rest] = steps;
  const isHolder = isObject(value) || Array.isArray(value);
  const members = isHolder ? Object.keys(value) : [];
  const isBare = value === null || (isHolder && members.length === 0);
  if (step === undefined)
    return isBare || (typeof value === "string" && nulls.has(value.trim())) ? EMPTY : GIVEN;
  if (isBare) return UNHELD;
  const found = step === "*" ? members : members.filter((one) => one === step);
  if (found.length === 0) return LACKING;
  return found.reduce(
    (best, member) =>
      best === GIVEN ? best : Math.max(best, look(readHolder(value, member, rest[0]), rest, nulls)),
    UNHELD,
  );
}

/** True if the path leads to a value, or if a value on the way is empty and tells nothing. */
export const mayLead = (value: unknown, steps: readonly string[]): boolean =>
  findMissing(value, steps) === undefined;

interface Missing {
  readonly step: string;
  /** The members there are in its place. */
  readonly members: readonly string[];
}

function findMissing(record: unknown, steps: readonly string[]): Missing | undefined {
  let value = record;
  for (const [index, step] of steps.entries()) {
    const members = isObject(value) || Array.isArray(value) ? Object.keys(value) : undefined;
    if (value === null || members?.length === 0) return undefined;
    const member = step === "*" ? members?.[0] : members?.find((one) => one === step);
    if (member === undefined) return { step, members: members ?? [] };
    value = readHolder(value, member, steps[index + 1]);
  }
  return undefined;
}

const FIRST = 10;
const MAX_SHOWN = 100;
// Sources choose these texts; they must not fill the memory.
const MAX_UNLISTED = 1_000;

const findNear = (name: string, known: readonly string[]) =>
  closestMatch(name, [...known], { maxDistance: Math.min(2, name.length >> 1) });

function toFault({ name, key, steps, record }: Lacking): string {
  const { step = "", members = [] } = findMissing(record, steps) ?? {};
  const near = findNear(step, members) ?? findFileName(name);
  return `${key}: {${name}}${near === undefined ? "" : `, for "${step}" there is "${near}"`}`;
}

/** A table and its header. */
export interface TableHeader {
  readonly file: string;
  readonly columns: readonly string[];
}

export interface ColumnProof {
  /** As `findInColumns`. Throws `ImportStopped` if the header lacks names of the mapping, unless that is allowed. */
  readonly find: (header: TableHeader) => Find<readonly string[]>;
  readonly judge: () => readonly Doubt[];
}

export function createColumnProof(mapping: Mapping, allow: readonly DoubtName[] = []): ColumnProof {
  const lacking = new Map<string, TableHeader>();
  const judge = () => judgeHeaders([...lacking.values()], mapping);
  return {
    find: (header) => {
      const { file, columns } = header;
      const doubts = judgeHeaders([header], mapping);
      if (doubts.length === 0) return findInColumns(columns, mapping);
      if (!allow.includes("empty")) throw new ImportStopped(doubts);
      lacking.set(file, header);
      return findInColumns(columns, { ...mapping, optional: listNames(mapping) });
    },
    judge,
  };
}

/** In doubt are the names of the mapping that these headers lack, and that no sample proves. */
export const judgeHeaders = (headers: readonly TableHeader[], mapping: Mapping) =>
  toMissing(headers, mapping, "stop");

/** `stop` is about the names that no sample proves, `warn` about the others. */
function toMissing(
  headers: readonly TableHeader[],
  mapping: Mapping,
  effect: Doubt["effect"],
): readonly Doubt[] {
  const named = new Set(listUses(mapping).map(({ name }) => toLetters(name)));
  const all = headers.flatMap((header) => {
    const others = header.columns.filter((column) => !named.has(toLetters(column)));
    if (effect === "warn" && others.every(mapping.isSampled)) return [];
    return listMissingColumns(header.columns, mapping)
      .filter(({ name }) => mapping.proved.has(name) === (effect === "warn"))
      .map((column) => ({
        ...header,
        ...column,
        near: findNear(column.name, others) ?? findFileName(column.name),
      }));
  });
  const missing = all.toSorted((one, other) => Number(isMisspelt(other)) - Number(isMisspelt(one)));
  const [first] = missing;
  if (first === undefined) return [];
  const names = [...new Set(missing.map(({ name }) => name))];
  const advice = effect === "warn" ? LOOK_FOR_OTHERS : `Correct the names, or ${toOptional(names)}`;
  const toText = ({ near, ...one }: (typeof missing)[number]) =>
    `${one.file}: ${toMissingText(one)}${near === undefined ? "" : `, but "${near}"`}`;
  return toDoubts(missing.map(toText), {
    name: "empty",
    effect,
    text: "the mapping has names that are no column",
    advice: `${first.file} has ${toColumnsText(first.columns)}. ${advice}`,
  });
}

function listMissingColumns(
  columns: readonly string[],
  mapping: Mapping,
): readonly MissingColumn[] {
  const findAt = createColumnFinder(columns, mapping.isOld);
  return listUses(mapping).filter(
    ({ name, join }) =>
      join === undefined && !mapping.optional.has(name) && findAt(name).length === 0,
  );
}
