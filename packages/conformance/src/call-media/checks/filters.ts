// Filters: each field alone, several together, and how values are matched.
import { fieldsOf } from "@call-media/api";
import { couldMatch, findMissing, impossible, toCounted, toName } from "../archive/records.ts";
import type { SearchOperation } from "../archive/searches.ts";
import { PAGE_SIZE, searchOf, type Window } from "../archive/window.ts";
import { type JsonObject, isObject } from "@call-media/contract-diff";
import type { Answer } from "../../ask.ts";
import { findRefusal, recordsOf } from "../answer.ts";
import type { Fault } from "../../fingerprint.ts";
import type { Run } from "../run.ts";
import { unless } from "../run.ts";
import type { Check } from "./check.ts";
import { findRarest, selectEqual } from "./filter-values.ts";

export interface Family {
  readonly operation: SearchOperation;
  readonly fields: readonly string[];
  readonly id: "filter.custom" | "filter.named";
}

/** The two searches and the fields by which each may be filtered. */
export const FAMILIES: readonly Family[] = [
  {
    operation: "searchMetadataByCustomFields",
    fields: fieldsOf("CustomFieldsFilter"),
    id: "filter.custom",
  },
  { operation: "searchMetadata", fields: fieldsOf("MetadataFilter"), id: "filter.named" },
];

export const eachField: Check = {
  about: "each filter field",
  proves: ["filter.custom", "filter.named", "filter.exact", "count.total"],
  cost: 60,
  run: async ({ run, sample: { window } }) => {
    if (window === undefined) return;
    const cells = FAMILIES.flatMap((family) => family.fields.map((field) => ({ family, field })));
    await Promise.all(
      cells.map(async ({ family, field }) => {
        const rarest = findRarest(window.records, field);
        // A value of no record must find nothing; a value of a record must find that record.
        const sought = rarest?.value ?? (field.endsWith("_time") ? -7_777_777 : impossible(run));
        const filter = { [field]: sought };
        const answer = await filterBy(run, window, { operation: family.operation, filter });
        proveMatches(run, family.id, { answer, filter });
        // Records outside the window may fill the page too.
        const isFew = (rarest?.count ?? 0) <= PAGE_SIZE && recordsOf(answer).length < PAGE_SIZE;
        if (rarest !== undefined) proveTaken(run, { answer, filter });
        if (rarest !== undefined && isFew && answer.isSuccess)
          run.prove(family.id, answer, findLost(rarest.record, { answer, filter }));
        if (window.isWhole)
          proveExact(run, { answer, filter }, selectEqual(window.records, filter));
      }),
    );
  },
};

export interface Filtered {
  readonly answer: Answer;
  readonly filter: JsonObject;
}

export async function filterBy(
  run: Run,
  { base, search: { startDate, endDate } }: Window,
  { operation, filter }: { operation: SearchOperation; filter: JsonObject },
): Promise<Answer> {
  return run.ask(searchOf({ operation, body: filter, startDate, endDate }, base));
}

/** A documented field with a value of an existing record: the service has no reason to refuse it. */
function proveTaken(run: Run, { answer, filter }: Filtered): void {
  run.prove("answer.success", answer, toFault(filter, findRefusal(answer)));
}

/** The fields distinguish faults of one requirement. */
function toFault(filter: JsonObject, fault: string | undefined): Fault | undefined {
  const at = Object.keys(filter).join(", ");
  return fault === undefined ? undefined : { at, fault: `by ${at}: ${fault}` };
}

function findLost(record: JsonObject, { answer, filter }: Filtered): Fault | undefined {
  const isThere = findMissing([record], recordsOf(answer)).length === 0;
  return toFault(filter, unless(isThere, `${toName(record)} is not found by its own value`));
}

export function proveMatches(run: Run, id: Family["id"], { answer, filter }: Filtered): void {
  const wrong = recordsOf(answer).find((record) =>
    Object.entries(filter).some(([field, sought]) => !couldMatch(field, record[field], sought)),
  );
  const fault = wrong && `${toName(wrong)} does not match ${JSON.stringify(filter)}`;
  run.prove(id, answer, toFault(filter, fault));
}

export function proveExact(
  run: Run,
  { answer, filter }: Filtered,
  expected: readonly JsonObject[],
): void {
  const found = recordsOf(answer);
  const [extra] = findMissing(found, expected);
  const isShort = found.length < Math.min(expected.length, PAGE_SIZE);
  const fault = extra
    ? `${toName(extra)} has another value, or reads otherwise`
    : unless(!isShort, `${found.length} of ${toCounted(expected)} with the value came`);
  run.prove("filter.exact", answer, toFault(filter, fault ?? findRefusal(answer)));
  const count = isObject(answer.json) ? answer.json["recordCount"] : undefined;
  if (answer.ask.operation === "searchMetadataByCustomFields" && answer.isSuccess)
    run.prove(
      "count.total",
      answer,
      unless(
        count === expected.length,
        `recordCount is ${String(count)}, not that of ${toCounted(expected)} with the value`,
      ),
    );
}

export const together: Check = {
  about: "several filters at once",
  proves: ["filter.and", "filter.named", "filter.custom"],
  cost: 6,
  run: async ({ run, sample: { window } }) => {
    if (window === undefined) return;
    for (const family of FAMILIES) {
      for (const filter of listPairs(window, family.fields)) {
        const answer = await filterBy(run, window, { operation: family.operation, filter });
        proveMatches(run, family.id, { answer, filter });
        const expected = selectEqual(window.records, filter);
        const found = recordsOf(answer);
        const isExact =
          found.length === Math.min(PAGE_SIZE, expected.length) &&
          findMissing(found, expected).length === 0;
        if (window.isWhole)
          run.prove(
            "filter.and",
            answer,
            unless(
              isExact,
              `${toCounted(found)} came, not the ${toCounted(expected)} with all of ${JSON.stringify(filter)}`,
            ),
          );
      }
    }
  },
};

/** Pairs of values: one pair that a record has, and two pairs that no record has, in both combinations. */
function listPairs({ records }: Window, fields: readonly string[]): readonly JsonObject[] {
  const rarest = fields
    .filter((field) => !field.endsWith("_time"))
    .flatMap((field) => {
      const found = findRarest(records, field);
      return found === undefined || found.count === records.length ? [] : [{ field, ...found }];
    });
  for (const one of rarest) {
    const other = rarest.find(
      ({ field, value }) =>
        field !== one.field &&
        !records.some(
          (r) =>
            couldMatch(field, r[field], value) && couldMatch(one.field, r[one.field], one.value),
        ),
    );
    const with2 = rarest.find(
      ({ field }) => field !== one.field && typeof one.record[field] === "string",
    );
    if (other === undefined || with2 === undefined) continue;
    return [
      { [one.field]: one.value, [with2.field]: one.record[with2.field] },
      { [one.field]: one.value, [other.field]: other.value },
      { [other.field]: other.value, [one.field]: one.value },
    ];
  }
  return [];
}
