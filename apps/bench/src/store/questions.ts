// The questions for the store and for PostgreSQL, and the calls they are about; each time with another value.
import { fieldsOf } from "@call-media/api";
import type { CallStore, Filter, MetadataRecord, Visibility } from "@call-media/store";
import { createRandom } from "../random.ts";
import { toAgent, toCampaign, toRare, toThree, YEAR } from "../search/queries.ts";

export interface Question {
  readonly toFilter: (index: number) => Filter;
  readonly pageIndex: number;
  readonly isCounted: boolean;
}

const page = (toFilter: Question["toFilter"], pageIndex = 0): Question => ({
  toFilter,
  pageIndex,
  isCounted: false,
});
const pageAndCount = (toFilter: Question["toFilter"]): Question => ({
  ...page(toFilter),
  isCounted: true,
});

export const QUESTIONS = {
  "agent, page 0": page(toAgent),
  "agent, page 0 and count": pageAndCount(toAgent),
  "campaign, page 0": page(toCampaign),
  "campaign, page 0 and count": pageAndCount(toCampaign),
  "largest campaign, page 0": page(() => toCampaign(0)),
  "largest campaign, pageIndex 200": page(() => toCampaign(0), 200),
  "3 filters, page 0": page(toThree),
  "3 filters, page 0 and count": pageAndCount(toThree),
  "rare field, page 0": page(toRare),
  "rare field, page 0 and count": pageAndCount(toRare),
  "no filter, page 0": page(() => ({})),
  "no filter, page 0 and count": pageAndCount(() => ({})),
} as const satisfies Record<string, Question>;

export type QuestionName = keyof typeof QUESTIONS;

export function askStore(
  store: CallStore,
  { toFilter, pageIndex, isCounted }: Question,
  visibility: Visibility = "everything",
): (index: number) => Promise<unknown> {
  return (index) =>
    store.calls.search({
      ...YEAR,
      filter: toFilter(index),
      pageIndex,
      isCounted,
      visibility,
    });
}

export const FILTER_FIELDS = [...fieldsOf("MetadataFilter"), ...fieldsOf("CustomFieldsFilter")];

const SAMPLED_DAYS = 40;

/** Picks calls spread over the searched year. */
export async function sampleCalls(store: CallStore): Promise<readonly MetadataRecord[]> {
  const random = createRandom(2);
  const firstMs = Date.parse(YEAR.startDate);
  const dayMs = 86_400_000;
  const days = (Date.parse(YEAR.endDate) - firstMs) / dayMs;
  const samples: MetadataRecord[] = [];
  for (let sampled = 0; sampled < SAMPLED_DAYS; sampled += 1) {
    const day = new Date(firstMs + random.below(days) * dayMs).toISOString().slice(0, 10);
    const search = { filter: {}, startDate: day, endDate: day, pageIndex: 0, isCounted: false };
    const { records } = await store.calls.search({ ...search, visibility: "everything" });
    const record = records[random.below(records.length)];
    if (record !== undefined) samples.push(record);
  }
  return samples;
}

/** For each filter field that is filled in any of the calls: the filters for its values. */
export function toFieldQuestions(
  samples: readonly MetadataRecord[],
): ReadonlyMap<string, Question> {
  const questions = new Map<string, Question>();
  for (const field of FILTER_FIELDS) {
    const values = samples.map((record) => record[field]).filter((value) => value !== null);
    if (values.length === 0) continue;
    questions.set(
      field,
      pageAndCount((index) => ({ [field]: values[index % values.length] ?? "" })),
    );
  }
  return questions;
}

/** Filters with the values of three fields of a call, by the fields' names. */
export function toThreeFieldQuestions(
  samples: readonly MetadataRecord[],
  count: number,
): ReadonlyMap<string, Question> {
  const random = createRandom(3);
  const questions = new Map<string, Question>();
  for (let made = 0; made < count && samples.length > 0; made += 1) {
    const record = samples[made % samples.length];
    const filled = FILTER_FIELDS.filter((field) => (record?.[field] ?? null) !== null);
    const fields = [0, 1, 2].map(() => filled.splice(random.below(filled.length), 1)[0] ?? "agent");
    const filter = Object.fromEntries(fields.map((field) => [field, record?.[field] ?? ""]));
    questions.set(
      `${fields.join(", ")} (${made})`,
      pageAndCount(() => filter),
    );
  }
  return questions;
}
