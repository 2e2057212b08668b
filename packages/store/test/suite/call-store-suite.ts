// What every adapter of the port must do. An adapter's test calls this with a function that makes an empty archive.
import { describe } from "vitest";
import type { CallStore } from "../../src/index.ts";
import { describeAccessLog } from "./access-log.ts";
import { describeCredentials } from "./credentials.ts";
import { describeFilters } from "./filters.ts";
import { describeIdentifiers } from "./identifiers.ts";
import { describeImporting } from "./importing.ts";
import { describePages } from "./pages.ts";
import { describeRanges } from "./ranges.ts";
import { describeRecordings } from "./recordings.ts";
import { describeRevisions } from "./revisions.ts";
import { describeUsers } from "./users.ts";
import { describeVisibility } from "./visibility.ts";

/** Makes an empty archive that goes away with the test that asks for it; UTC when no time zone is given. */
export type CreateStore = (timeZone?: string) => Promise<CallStore>;

const TOPICS: readonly (readonly [topic: string, describeTopic: (create: CreateStore) => void])[] =
  [
    ["calls by identifier", describeIdentifiers],
    ["filters (D08)", describeFilters],
    ["date ranges (D03, D06)", describeRanges],
    ["order, pages and counts (D07, D09, D10)", describePages],
    ["rights on records (D21)", describeVisibility],
    ["recordings and chats (D17)", describeRecordings],
    ["users and flags (D05)", describeUsers],
    ["credentials (D18, D19, D35)", describeCredentials],
    ["the access log", describeAccessLog],
    ["importing twice", describeImporting],
    ["states of a call that its source dates", describeRevisions],
  ];

export function describeCallStore(adapter: string, create: CreateStore): void {
  describe.each(TOPICS)(`${adapter}: %s`, (_topic, describeTopic) => {
    describeTopic(create);
  });
}
