// Proves the names of a mapping: one that no record or no header has is probably misspelt, and its values would be lost.
import { closestMatch } from "leven";
import type { Doubt, DoubtName } from "../../doubts/doubt.ts";
import { ImportStopped } from "../../doubts/import-stopped.ts";
import { isObject } from "../../json.ts";
import {
  findInColumns,
  findInRecord,
  listMissingColumns,
  readMember,
  toColumnsText,
  toMissingText,
  toSteps,
} from "./bind-mapping.ts";
import { listNames, type Mapping } from "./mapping.ts";
import type { Find } from "./template.ts";

type Members = Readonly<Record<string, unknown>>;

export interface Proof {
  /** As `findInRecord`; every name that is asked for has to be proved. */
  readonly find: Find<Members>;
  readonly see: (record: Members) => void;
  /** In doubt are the names that none of the records had that were seen. */
  readonly judge: () => readonly Doubt[];
}

interface Unproved {
  readonly key: string;
  readonly steps: readonly string[];
}

export function createProof({ nulls, optional }: Mapping): Proof {
  const find = findInRecord(nulls);
  const unproved = new Map<string, Unproved>();
  let last: Members | undefined;
  return {
    find: (name, key) => {
      if (!optional.has(name)) unproved.set(name, { key, steps: toSteps(name) });
      return find(name, key);
    },
    see: (record) => {
      last = record;
      for (const [name, { steps }] of unproved)
        if (findMissing(record, steps) === undefined) unproved.delete(name);
    },
    judge: () => {
      if (last === undefined || unproved.size === 0) return [];
      const record = last;
      const doubt: Doubt = {
        name: "empty",
        effect: "stop",
        text: "the mapping has names that no record has",
        count: unproved.size,
        unit: "name",
        first: [...unproved].map(([name, one]) => toFault(name, one, record)),
        advice: `Correct them, or list those that other files have: "optional": ${JSON.stringify([...unproved.keys()])}`,
      };
      return [doubt];
    },
  };
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
  for (const step of steps) {
    const members = isObject(value) || Array.isArray(value) ? Object.keys(value) : undefined;
    if (value === null || members?.length === 0) return undefined;
    const member = step === "*" ? members?.[0] : members?.find((one) => one === step);
    if (member === undefined) return { step, members: members ?? [] };
    value = readMember(value, member);
  }
  return undefined;
}

const FIRST = 10;

const findNear = (name: string, known: readonly string[]) =>
  closestMatch(name, [...known], { maxDistance: Math.min(2, name.length >> 1) });

function toFault(name: string, { key, steps }: Unproved, record: Members): string {
  const { step = "", members = [] } = findMissing(record, steps) ?? {};
  const near = findNear(step, members);
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

/** In doubt are the names of the mapping that these headers lack. */
export function judgeHeaders(headers: readonly TableHeader[], mapping: Mapping): readonly Doubt[] {
  const missing = headers.flatMap((header) =>
    listMissingColumns(header.columns, mapping).map((column) => ({ ...header, ...column })),
  );
  const [first] = missing;
  if (first === undefined) return [];
  const names = [...new Set(missing.map(({ name }) => name))];
  const doubt: Doubt = {
    name: "empty",
    effect: "stop",
    text: "the mapping has names that are no column",
    count: missing.length,
    unit: "name",
    first: missing.slice(0, FIRST).map((one) => {
      const near = findNear(one.name, one.columns);
      return `${one.file}: ${toMissingText(one)}${near === undefined ? "" : `, but "${near}"`}`;
    }),
    advice: `${first.file} has ${toColumnsText(first.columns)}. Correct the names, or list those that other files have: "optional": ${JSON.stringify(names)}`,
  };
  return [doubt];
}
