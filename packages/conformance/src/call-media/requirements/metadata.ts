// Call records: by identifier and searched.
import { LOOKUPS, METADATA, of, type Requirements, SEARCHES } from "./requirement.ts";

const PAGE_SIZE =
  "- The default page size for POST /metadata/by-custom-fields and POST /metadata/search is 50 records, selected by pageIndex.";
const QUERY =
  "- Query parameters, all required: pageIndex (integer), startDate (string), endDate (string).";
const BY_CALL_ID = "| GET | /metadata/by-call-id/{call_id} | metadata by call identifier |";
const BY_REFERENCE =
  "- Path parameter ref_id: string, required. It is a reference_id, session_id or master_id.";

export const metadata = {
  "metadata.fields": {
    operations: METADATA,
    source: {
      line: "Each element of data in the metadata endpoints has the fields below, in this order. Every field may be null.",
    },
    says: "A record has exactly the documented fields, in this order, of the types that are shown.",
  },
  ...of(METADATA, "D02", {
    "metadata.types": "Text is text or null; handle_time and talk_time are integers or null.",
  }),
  "page.fields": {
    operations: ["searchMetadataByCustomFields"],
    source: {
      line: "- Response: envelope with pageID, recordCount and data (array of metadata records).",
    },
    says: "The envelope also has pageID and recordCount, both integers.",
  },
  ...of(["getMetadataByCallId"], BY_CALL_ID, {
    "call-id.echo": "Every record has the call_id that was asked for.",
    "call-id.finds":
      "A record that a search gave is given for its call_id too, with the same values.",
  }),
  ...of(["getMetadataByReference"], BY_REFERENCE, {
    "reference.finds":
      "A record that a search gave is given for its ref_id too, with the same values.",
    "reference.only": "A reference does not give the records of every call.",
  }),
  ...of(LOOKUPS, "D15", {
    "identifier.unknown": "An unknown identifier is answered 200 and empty.",
  }),
  "identifier.nothing": {
    operations: LOOKUPS,
    source: {
      line: "- Response: envelope whose data is an array of metadata records (zero or more).",
    },
    says: "An identifier that cannot exist gives no record.",
  },
  "filter.custom": {
    operations: ["searchMetadataByCustomFields"],
    source: {
      line: "| POST | /metadata/by-custom-fields | metadata filtered by custom or security fields |",
    },
    says: "Every record matches the filter, and a record of the range is found by each of its custom and security fields.",
  },
  "filter.named": {
    operations: ["searchMetadata"],
    source: { line: "| POST | /metadata/search | metadata filtered by named fields |" },
    says: "Every record matches the filter, and a record of the range is found by each of its named fields.",
  },
  ...of(SEARCHES, "D08", {
    "filter.exact":
      "A filter finds the records whose whole value is equal, all of them and no others.",
    "filter.case": "Letter case and spaces around a value make no difference.",
    "filter.partial": "A part of a value finds nothing.",
  }),
  ...of(["searchMetadata"], "D08", {
    "filter.phone": "Telephone numbers compare by their digits alone.",
  }),
  ...of(SEARCHES, "D08", {
    "filter.and": "With several filters a record has to match each of them.",
  }),
  ...of(SEARCHES, "D11", {
    "filter.empty":
      "An empty filter is refused by the search by named fields and means the whole range by custom fields.",
    "filter.unknown-key": "A key that is no filter field is answered 400 and named.",
  }),
  ...of(SEARCHES, PAGE_SIZE, {
    "page.size": "A page has 50 records while there are more.",
    "page.distinct": "Pages do not overlap: no record stands on two of them.",
  }),
  ...of(["searchMetadataByCustomFields"], "D07", {
    "page.base": "pageIndex counts from 0.",
    "page.echo": "pageID repeats pageIndex.",
  }),
  ...of(SEARCHES, "D07", {
    "page.past": "A page past the end is answered 200 and empty.",
    "page.refused": "A pageIndex that is negative or no integer is answered 400.",
  }),
  ...of(["searchMetadataByCustomFields"], "D10", {
    "count.total": "recordCount is the exact number of matching records over all pages.",
  }),
  ...of(["searchMetadata"], "D10", {
    "count.header":
      "With Prefer: count=exact the answer has Content-Range with the exact number, and Preference-Applied.",
  }),
  ...of(SEARCHES, "D10", {
    "link.next": 'Link with rel="next" names the next page while there is one, and only then.',
  }),
  ...of(METADATA, "D09", {
    "order.newest": "Records come newest first.",
  }),
  "range.within": {
    operations: SEARCHES,
    source: { line: QUERY },
    says: "No record lies more than a day outside of the range, whatever the time zone.",
  },
  ...of(SEARCHES, "D06", {
    "range.days":
      "A range holds the records of all its days, both ends included, and each record is of one day in one time zone.",
  }),
  ...of(SEARCHES, "D34", {
    "range.zone":
      "Archive-Time-Zone names the zone by which the records of a range are of its days.",
  }),
  ...of(["searchMetadataByCustomFields"], "D06", {
    "range.taken":
      "Every day of the calendar is taken, a leap day as well, and a range of any length.",
  }),
  ...of(SEARCHES, "D06", {
    "range.refused":
      "A date that is not YYYY-MM-DD or no calendar day, or a start after the end, is answered 400.",
  }),
  "search.agrees": {
    operations: ["searchMetadata"],
    source: {
      line: "The two metadata POST operations are searches that read data and change nothing.",
    },
    says: "A record has the same values in both searches.",
  },
} as const satisfies Requirements;
