// The suite that every adapter of the port must pass: `@call-media/store/suite`, run by vitest.
import { describe } from "vitest";
import type { MediaStore } from "../index.ts";
import { describeAccessLog } from "./access-log.ts";
import { describeCredentials } from "./credentials.ts";
import { describeErasedSound } from "./erased-sound.ts";
import { describeErasing } from "./erasing.ts";
import { describeFilters } from "./filters.ts";
import { describeHistory } from "./history.ts";
import { describeHolds } from "./holds.ts";
import { describeHoldsModel } from "./holds-model.ts";
import { describeIdentifiers } from "./identifiers.ts";
import { describeImportPolicy } from "./import-policy.ts";
import { describeImportModel } from "./import-model.ts";
import { describeImporting } from "./importing.ts";
import { describeKeptRecordings } from "./kept-recordings.ts";
import { describeLife } from "./life.ts";
import { describeLookUpModel } from "./look-up-model.ts";
import { describeMedia } from "./media.ts";
import { describeMigrating } from "./migrating.ts";
import { describeOwed } from "./owed.ts";
import { describePages } from "./pages.ts";
import { describeRanges } from "./ranges.ts";
import { describeRecordFields } from "./record-fields.ts";
import { describeRecordings } from "./recordings.ts";
import { describeRetention } from "./retention.ts";
import { describeRevisions } from "./revisions.ts";
import { describeSearchModel } from "./search-model.ts";
import { describeSearchRights } from "./search-rights.ts";
import { closing, type CreateStore, type Extent } from "./stores.ts";
import { describeUsers } from "./users.ts";
import { describeVisibility } from "./visibility.ts";
import { describeWords } from "./words.ts";

export type { CreateStore, LifeMeans } from "./stores.ts";

export interface StoreSuite extends Extent {
  /** The prefix of the test names. */
  readonly adapter: string;
  /**
   * Makes an empty archive, which the suite closes. Everything else to clean up, such as a directory or a schema, is removed with
   * vitest's `onTestFinished`.
   */
  readonly create: CreateStore;
}

type DescribeTopic = (create: CreateStore, extent: Extent) => void;

type Topic = readonly [topic: string, describeTopic: DescribeTopic];

/** The topics with the most adapter-specific code. */
const SHORT: readonly Topic[] = [
  ["calls by identifier", describeIdentifiers],
  ["look-ups against a model", describeLookUpModel],
  ["searches against a model", describeSearchModel],
  ["searches within rights (D21)", describeSearchRights],
  ["recordings and chats (D17)", describeRecordings],
  ["users and flags (D05)", describeUsers],
  ["credentials (D18, D19, D35)", describeCredentials],
  ["importing twice (D32)", describeImporting],
  ["erasing (D33)", describeErasing],
  ["erased sound (D41)", describeErasedSound],
  ["earlier states (D42)", describeHistory],
  ["holds (D43)", describeHolds],
  ["holds against a model (D43)", describeHoldsModel],
  ["what is owed (D43)", describeOwed],
  ["what is due by a policy (D43)", describeRetention],
  ["imports and the policy (D43)", describeImportPolicy],
  ["a record's whole life", describeLife],
  ["imports, erasures and scans against the adapter in memory", describeImportModel],
];

const OTHERS: readonly Topic[] = [
  ["fields of records (D27)", describeRecordFields],
  ["filters (D08)", describeFilters],
  ["date ranges (D03, D06)", describeRanges],
  ["order, pages and counts (D07, D09, D10)", describePages],
  ["rights on records (D21)", describeVisibility],
  ["searches by words (D30)", describeWords],
  ["contents of recordings (D16)", (create) => describeMedia(async () => (await create()).media)],
  ["the access log", describeAccessLog],
  ["states of a call that its source dates", describeRevisions],
  ["recordings that a call keeps", describeKeptRecordings],
  ["migrating to other places", describeMigrating],
];

export interface MediaStoreSuite {
  /** The prefix of the test names. */
  readonly place: string;
  /** Opens an empty place. Everything to clean up is removed with vitest's `onTestFinished`. */
  readonly create: () => Promise<MediaStore>;
}

/** Tests everything that must hold for any media store, for one place of recordings. */
export function describeMediaStore({ place, create }: MediaStoreSuite): void {
  describe(`${place}: contents of recordings (D16)`, () => {
    describeMedia(create);
  });
}

/** Tests everything that must hold for any archive, for one adapter. */
export function describeStore({ adapter, create, ...extent }: StoreSuite): void {
  const topics = extent.isShort === true ? SHORT : [...SHORT, ...OTHERS];
  describe.each(topics)(`${adapter}: %s`, (_topic, describeTopic) => {
    describeTopic(closing(create), extent);
  });
}
