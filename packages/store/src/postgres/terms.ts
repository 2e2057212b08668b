// The terms of a call in `call_key`: numbers for the values of its fields. The fields of rights come first, each in its own place, so
// a condition on one of them reads a single number; 0 stands for null.
import type { Filter, FilterField, MetadataRecord, Visibility } from "../port/index.ts";
import { toMatchKey } from "../values/match-key.ts";
import { listRestrictions } from "../values/visibility.ts";
import { createTerms, createTermsOf, INDEXED_FIELDS, toBigTerm } from "../values/terms.ts";

/** The fields with their own places, from 1 on. The order must not change: the archive's calls are stored in it. */
const PLACED: readonly FilterField[] = [
  "campaign",
  "skill",
  "agent",
  "agent_group",
  "media",
  "security_field_01",
  "security_field_02",
  "security_field_03",
  "security_field_04",
  "security_field_05",
];

const OTHERS = INDEXED_FIELDS.filter((field) => !PLACED.includes(field));

const NONE = 0n;

export const PLACES: readonly number[] = PLACED.map((_, index) => index + 1);

/** Makes a function that returns the terms of a record. */
export function createTermLister(seed: string): (record: MetadataRecord) => readonly bigint[] {
  const toLister = (field: FilterField) => {
    const toTerm = createTermsOf(seed, field, toBigTerm);
    return (record: MetadataRecord) => {
      const value = record[field] ?? null;
      return value === null ? NONE : toTerm(value);
    };
  };
  const [placed, others] = [PLACED.map(toLister), OTHERS.map(toLister)];
  return (record) => [
    ...placed.map((list) => list(record)),
    ...others.map((list) => list(record)).filter((term) => term !== NONE),
  ];
}

/** The terms that a call must have: all of a filter, and one of each right. */
export interface Query {
  readonly terms: readonly bigint[];
  readonly rights: readonly Right[];
}

export interface Right {
  /** The place of the term in each call, from 1 on; undefined: anywhere. */
  readonly place: number | undefined;
  readonly terms: readonly bigint[];
}

/** Makes a function that returns the query for a filter and a caller's rights; undefined if no call can match. */
export function createQueries(seed: string) {
  const toTerm = createTerms(seed, toBigTerm);
  return (filter: Filter, visibility: Visibility): Query | undefined => {
    const restrictions = listRestrictions(visibility);
    if (restrictions.some(({ allowed }) => allowed.length === 0)) return undefined;
    return {
      terms: Object.entries(filter).map(([field, value]) =>
        toTerm(field, toMatchKey(field, value)),
      ),
      rights: restrictions.map(({ field, allowed }) => ({
        place: PLACED.includes(field) ? PLACED.indexOf(field) + 1 : undefined,
        terms: [...new Set(allowed.map((key) => toTerm(field, key)))],
      })),
    };
  };
}
