// What is asked of an archive, by name: the shapes of a search that cost different things.
import type { CallSearch, CallStore, Visibility } from "@call-media/store";
import { AGENTS, GROUPS, SKILLS, toCallId, toName } from "../rows.ts";
import { CAMPAIGNS, CITIES, DISPOSITIONS } from "../words.ts";

/** Asks a store for the `index`th time, each time for another value where there are several. */
export type Ask = (store: CallStore, visibility: Visibility, index: number) => Promise<unknown>;

/** A year in the middle of the two that the rows cover. */
export const YEAR = { startDate: "2025-04-01", endDate: "2026-03-31" };

/** The first page of a search over that year, over HTTP. */
export const SEARCH_PATH = `/metadata/search?${new URLSearchParams({ pageIndex: "0", ...YEAR }).toString()}`;

/** For an archive of `rows` generated calls. */
export function createQueries(rows: number): Readonly<Record<string, Ask>> {
  return {
    "by call id": (store, visibility, index) =>
      store.calls.byCallId(toCallId((index * 7_919) % rows), visibility),
    "agent, page 0": search((index) => ({ filter: toAgent(index) })),
    "agent, page 0 and count": search((index) => ({ filter: toAgent(index), isCounted: true })),
    "campaign, page 0": search((index) => ({ filter: toCampaign(index) })),
    "campaign, page 0 and count": search((index) => ({
      filter: toCampaign(index),
      isCounted: true,
    })),
    "campaign, pageIndex 200": search(() => ({ filter: toCampaign(0), pageIndex: 200 })),
    "3 filters, page 0": search((index) => ({ filter: toThree(index) })),
    "3 filters, page 0 and count": search((index) => ({ filter: toThree(index), isCounted: true })),
    "rare field, page 0": search((index) => ({ filter: toRare(index) })),
    "no filter, page 0": search(() => ({})),
    "no filter, page 0 and count": search(() => ({ isCounted: true })),
  };
}

/** Three lists of twenty values: one call in twenty is seen. */
export const RESTRICTED: Visibility = [
  { field: "agent", allowed: toNames("agent", AGENTS) },
  { field: "skill", allowed: toNames("skill", SKILLS) },
  { field: "agent_group", allowed: toNames("agent_group", GROUPS) },
];

function search(toSearch: (index: number) => Partial<CallSearch>): Ask {
  return (store, visibility, index) =>
    store.calls.search({
      filter: {},
      pageIndex: 0,
      isCounted: false,
      ...YEAR,
      visibility,
      ...toSearch(index),
    });
}

export const toAgent = (index: number) => ({ agent: toName("agent", (index * 10) % AGENTS) });
export const toCampaign = (index: number) => ({ campaign: at(CAMPAIGNS, index) });
export const toRare = (index: number) => ({ custom_field_7: `escalation ${index % 20}` });
export const toThree = (index: number) => ({
  campaign: at(CAMPAIGNS, index),
  disposition: at(DISPOSITIONS, index * 5),
  ani_state: at(CITIES, index * 3).state,
});

// Twenty values spread over all there are; match keys are in lower case.
function toNames(name: "agent" | "skill" | "agent_group", count: number): string[] {
  return Array.from({ length: 20 }, (_, index) =>
    toName(name, Math.floor((index * count) / 20)).toLowerCase(),
  );
}

function at<T>(values: readonly T[], index: number): T {
  const value = values[index % values.length];
  if (value === undefined) throw new Error("there is nothing to ask for");
  return value;
}
