// The terms of a call in `call_key`: numbers for the values of its fields. Those of the fields of rights come first, each in a
// place of its own, so that a condition on one of them reads one number; 0 stands for null.
import type { Filter, FilterField, MetadataRecord, Visibility } from "../port/index.ts";
import { toMatchKey } from "../values/match-key.ts";
import { listRestrictions } from "../values/visibility.ts";
import { createTerms, createTermsOf, INDEXED_FIELDS, toBigTerm } from "../values/terms.ts";

/** The fields with places of their own, from 1 on. They stay as they are: calls in the archive have been laid so. */
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

/** Makes a function that gives the terms of a record. */
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

/** What calls must have: all terms of a filter, and of each right one. */
export interface Query {
  readonly terms: readonly bigint[];
  readonly rights: readonly Right[];
}

export interface Right {
  /** Where calls have the term, from 1 on; undefined: anywhere. */
  readonly place: number | undefined;
  readonly terms: readonly bigint[];
}

/** Makes a function that gives the query of a filter and a caller's rights; undefined when no call can match. */
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
