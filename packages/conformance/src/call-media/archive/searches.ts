// Searches that may find something in an unknown archive.
import type { JsonObject } from "@call-media/contract-diff";
import { recordsOf } from "../answer.ts";
import type { Hints } from "../target.ts";
import type { Run } from "../run.ts";
import { parseMoment } from "../../values/moments.ts";
import { addDays, today } from "./days.ts";

export type SearchOperation = "searchMetadata" | "searchMetadataByCustomFields";

/** A search that is broad enough to find existing records. */
export interface OpenSearch {
  readonly operation: SearchOperation;
  readonly body: JsonObject;
  readonly startDate: string;
  readonly endDate: string;
}

/** The complete archive, if the service accepts the range. */
export const WIDEST: OpenSearch = {
  operation: "searchMetadataByCustomFields",
  body: {},
  startDate: "1970-01-01",
  endDate: "2099-12-31",
};

const MONTH_DAYS = 30;
// Some services accept at most a range of one month, and some archives ended months ago.
const MONTHS = 12;

/** The most open search first, then narrower ones that some archives may accept. */
export async function listSearches(run: Run, hints: Hints): Promise<readonly OpenSearch[]> {
  const { days, bodies } = await readHints(run, hints);
  const hinted = days.map((day) => rangeOf(addDays(day, -1), 2));
  const months = Array.from({ length: MONTHS }, (_, month) =>
    rangeOf(addDays(today(), -MONTH_DAYS * (month + 1)), MONTH_DAYS),
  );
  const spans = [3650, 364].map((count) => rangeOf(addDays(today(), -count), count + 1));
  const named = [...bodies, ...GUESSES].map((body) => ({ ...WIDEST, ...SEARCH, body }));
  const ofDays = hinted.flatMap((range) => bodies.map((body) => ({ ...SEARCH, body, ...range })));
  return [
    WIDEST,
    ...[...hinted, ...spans, ...months].map((range) => ({ ...WIDEST, ...range })),
    ...ofDays,
    ...named,
  ];
}

const SEARCH = { operation: "searchMetadata" } as const;

function rangeOf(startDate: string, count: number) {
  return { startDate, endDate: addDays(startDate, count) };
}

/** Common values of many platforms. Used only if a service has no search without a filter. */
const GUESSES: readonly JsonObject[] = [
  { call_type: "Inbound" },
  { media: "voice" },
  { country: "US" },
];

/** The day of a call known to exist, and searches that find it. */
async function readHints(run: Run, { call_ids: [id] = [] }: Hints) {
  if (id === undefined) return { days: [], bodies: [] };
  const answer = await run.ask({ operation: "getMetadataByCallId", path: { call_id: id } });
  const [record = {}] = recordsOf(answer);
  const day = parseMoment(record["datetime"])?.day;
  const fields = ["media", "call_type", "campaign", "agent"];
  const bodies = fields
    .filter((field) => typeof record[field] === "string")
    .map((field) => ({ [field]: record[field] }));
  return { days: day === undefined ? [] : [day], bodies };
}
