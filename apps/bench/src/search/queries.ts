// The queries for an archive of generated calls.
import type { Restriction } from "@call-media/store";
import { AGENTS, GROUPS, SKILLS, toName } from "../rows.ts";
import { CAMPAIGNS, CITIES, DISPOSITIONS } from "../words.ts";

/** A year in the middle of the two that the rows cover. */
export const YEAR = { startDate: "2025-04-01", endDate: "2026-03-31" };

/** The first page of a search over that year, over HTTP. */
export const SEARCH_PATH = `/metadata/search?${new URLSearchParams({ pageIndex: "0", ...YEAR }).toString()}`;

/** Three lists of twenty values, which make one call in twenty visible. */
export const RESTRICTED: readonly [Restriction, ...Restriction[]] = [
  { field: "agent", allowed: toNames("agent", AGENTS) },
  { field: "skill", allowed: toNames("skill", SKILLS) },
  { field: "agent_group", allowed: toNames("agent_group", GROUPS) },
];

export const toAgent = (index: number) => ({ agent: toName("agent", (index * 10) % AGENTS) });
export const toCampaign = (index: number) => ({ campaign: at(CAMPAIGNS, index) });
export const toRare = (index: number) => ({ custom_field_7: `escalation ${index % 20}` });
export const toThree = (index: number) => ({
  campaign: at(CAMPAIGNS, index),
  disposition: at(DISPOSITIONS, index * 5),
  ani_state: at(CITIES, index * 3).state,
});

// Twenty values spread over all existing ones; match keys are in lower case.
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
