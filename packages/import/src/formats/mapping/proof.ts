// Proves the names of a mapping: one that no record or no header has is probably misspelt, and its values would be lost. So is a
// pattern that no text fits.
import { type Doubt, toDoubts } from "../../doubts/doubt.ts";
import { isObject } from "../../json.ts";
import { toLetters } from "../columns.ts";
import type { Watch } from "./bind-rule.ts";
import { createEpochUnits } from "./epoch-units.ts";
import { listMissingColumns, type TableHeader, toMissing } from "./header-proof.ts";
import { listRules, type Mapping } from "./mapping.ts";
import { createColumnFinder, findFileName, readHolder } from "./names.ts";
import { createTextProof, listProvableTexts } from "./text-proof.ts";
import { createUnits } from "./units.ts";
import { findNear, listUses, LOOK_FOR_OTHERS, toOptional, type Use } from "./uses.ts";

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
  ...listProvableTexts(mapping),
];

export function createProof(mapping: Mapping): Proof {
  const { optional, proved } = mapping;
  const isProved = (name: string) => optional.has(name) || proved.has(name);
  const uses = listUses(mapping);
  const headers = new Map<string, TableHeader>();
  const open = new Map(uses.map((use) => [use, UNHELD]));
  // Calls are undefined.
  const joinsSeen = new Set<string | undefined>();
  const patterns = new Map<string, { isFit: boolean; text?: string }>();
  const units = createUnits();
  const spans = createEpochUnits();
  const texts = createTextProof(mapping, isProved);
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
  const listAll = (state: number) =>
    [...open]
      .filter(([use, found]) => found === state && joinsSeen.has(use.join))
      .map(([use]) => use);
  const listOpen = (state: number) => listAll(state).filter(({ name }) => !optional.has(name));
  // Those of a table by its header, those of a record by what stands in their place.
  const names = new Set<string>();
  const listNear = () => {
    const read = new Set(uses.map(({ steps }) => toLetters(steps.join("."))));
    return listAll(LACKING).flatMap(({ name, key, steps }) => {
      if (!optional.has(name)) return [];
      const use = [...lacking].find(([one]) => one.name === name);
      const { step = name, members = [...names] } = (use && findMissing(use[1], steps)) ?? {};
      const before = steps.slice(0, steps.indexOf(step));
      const others = members.filter((one) => !read.has(toLetters([...before, one].join("."))));
      const near = findNear(step, others);
      return near === undefined ? [] : [`${key}: {${name}}, but "${near}"`];
    });
  };
  const listUnfit = () => [...patterns].filter(([key, { isFit }]) => !isFit && !isProved(key));
  for (const { key, match } of listRules(mapping))
    if (match !== undefined) patterns.set(`${key}.match`, { isFit: false });
  return {
    watch: {
      match: (key, text, isFit) => {
        const known = patterns.get(`${key}.match`);
        if (known?.isFit !== true) patterns.set(`${key}.match`, { isFit, text });
      },
      duration: units.see,
      span: spans.see,
      ...texts.watch,
    },
    see: (record, join) => {
      texts.seeRecord(record);
      note(({ steps }) => look(record, steps, mapping.nulls), record, join);
    },
    seeTable: (header) => {
      const { file, columns } = header;
      if (listMissingColumns(columns, mapping).some(({ name }) => proved.has(name)))
        headers.set(file, header);
      const findAt = createColumnFinder(columns);
      columns.forEach((column) => names.add(column));
      const indexes = new Map(uses.map((use) => [use, findAt(use.name)[0]]));
      return (values) => {
        texts.seeRow(columns, values);
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
      ...toMisspelt(listNear()),
      ...toEmpty([...listOpen(EMPTY), ...listOpen(UNHELD).filter(({ name }) => !proved.has(name))]),
      ...texts.judge(),
      ...(proved.size === 0 ? [...units.judge(), ...spans.judge()] : []),
    ],
    listUnproved: () => [
      ...[...open.keys()].map(({ name }) => name).filter((name) => !optional.has(name)),
      ...listUnfit().map(([key]) => key),
      ...texts.listUnproved(),
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

const toMisspelt = (names: readonly string[]) =>
  toDoubts(names, {
    name: "empty",
    effect: "warn",
    text: "no row has a name that is listed as optional, and there is one that is nearly it",
    advice: "Look whether it is spelt so",
  });

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

const MAX_SHOWN = 100;

function toFault({ name, key, steps, record }: Lacking): string {
  const { step = "", members = [] } = findMissing(record, steps) ?? {};
  const near = findNear(step, members) ?? findFileName(name);
  return `${key}: {${name}}${near === undefined ? "" : `, for "${step}" there is "${near}"`}`;
}
