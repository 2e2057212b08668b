// A search while an import adds calls.
import { createFakeService } from "@call-media/testing";
import { createClient } from "../../src/index.ts";
import { listOf } from "../service.ts";

const DAY_MS = 86_400_000;
const day = { startDate: "2026-03-02", endDate: "2026-03-02" };

/** Calls over a part of the day, between two numbers from 0 to 1. */
interface Spread {
  readonly count: number;
  readonly from: number;
  readonly until: number;
}

const toCalls = (name: string, { count, from, until }: Spread) =>
  Array.from({ length: count }, (_, index) => {
    const datetime = Date.parse(day.startDate) + (from + ((until - from) * index) / count) * DAY_MS;
    return {
      call_id: `${name}-${index}`,
      agent: "ana",
      datetime: new Date(datetime).toISOString(),
    };
  });

/** Comes before that page is asked for. */
export interface Import extends Spread {
  readonly page: number;
}

const searches = {
  search: { ...day, filter: { agent: "ana" } },
  byCustomFields: { ...day, filter: {} },
};
export type Operation = keyof typeof searches;

/** Reads a search of so many calls while `imports` come. */
export async function searchWhile(operation: Operation, count: number, imports: readonly Import[]) {
  const there = toCalls("there", { count, from: 0, until: 1 });
  let calls = there;
  let service = createFakeService({ calls });
  const left = new Set(imports);
  const fetch: typeof service.fetch = (input, init) => {
    const page = Number(new URL(new Request(input).url).searchParams.get("pageIndex"));
    for (const one of left)
      if (one.page === page) {
        calls = calls.concat(toCalls(`import-${left.size}`, one));
        service = createFakeService({ calls });
        left.delete(one);
      }
    return service.fetch(input, init);
  };
  const { baseUrl, apiKey } = service;
  // The service announces its count on the first page.
  const profile = { firstPage: 0, recordCount: "all" } as const;
  const client = createClient({ baseUrl, apiKey, fetch, profile });
  const search =
    operation === "search"
      ? client.calls.search(searches.search)
      : client.calls.byCustomFields(searches.byCustomFields);
  const found = (await listOf(search)).map(({ call_id }) => call_id);
  return { there: there.map(({ call_id }) => call_id), found, verdict: search.report.verdict };
}
