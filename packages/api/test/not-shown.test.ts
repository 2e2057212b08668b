// Every place of the document that answers what the interface calls "not shown" carries the decision it rests on.
import { expect, test } from "vitest";
import { document, fieldsOf, routes } from "../src/index.ts";

const schema = (name: string) => `/components/schemas/${name}`;
const field = (name: string, ...fields: readonly string[]) =>
  fields.map((property) => `${schema(name)}/properties/${property}`);
const parameter = (name: string) => `/components/parameters/${name}`;

const texts = fieldsOf("MetadataRecord").filter((name) =>
  /^(?:ani|dnis|recordings|transcript|notes|(?:custom|security)_field_\d+)$/.test(name),
);
const rights = fieldsOf("UserSecurityRecord").filter((name) => name.startsWith("allow"));
/** The answers of an error, but for 401, which the interface shows. */
const errors = Object.values(document.paths).flatMap((item) =>
  Object.values(item).flatMap(({ responses }) =>
    Object.entries(responses).flatMap(([status, { $ref }]) =>
      status >= "400" && status !== "401" ? [$ref.slice("#".length)] : [],
    ),
  ),
);

/** What is not shown, the decision, and the places that answer. */
const notShown: readonly (readonly [string, string, readonly string[]])[] = [
  ["operations that write", "D01", ["/info"]],
  ["types of response values", "D02", field("MetadataRecord", ...texts, "handle_time")],
  ["types of nullable values", "D02", field("ChatMessageRecord", "call_id", "transcript", "label")],
  ["type of external_system_id", "D02", field("UserBasicRecord", "external_system_id")],
  ["a datetime without an offset", "D03", field("MetadataRecord", "datetime")],
  ["type of search_rights", "D04", field("UserSecurityRecord", "search_rights")],
  [
    "mapping of the status",
    "D05",
    [parameter("UserStatus"), ...field("UserBasicRecord", "status")],
  ],
  ["date format and range", "D06", [parameter("StartDate"), parameter("EndDate")]],
  ["where pageIndex begins", "D07", [parameter("PageIndex")]],
  ["maximum page size", "D07", field("MetadataPageEnvelope", "data", "pageID")],
  ["how values match", "D08", [schema("MetadataFilter"), schema("CustomFieldsFilter")]],
  ["order of records", "D09", field("MetadataEnvelope", "data")],
  ["what recordCount counts", "D10", field("MetadataPageEnvelope", "recordCount")],
  ["number of records of a search", "D10", [parameter("Prefer"), "/components/headers/Link"]],
  ["a search without a filter", "D11", [schema("MetadataFilter"), schema("CustomFieldsFilter")]],
  ["other status codes", "D12", [...new Set(errors)]],
  ["body of errors", "D13", [schema("ErrorEnvelope")]],
  ["what a 401 says", "D14", ["/components/headers/WWW-Authenticate"]],
  ["an identifier without a match", "D15", field("ChatEnvelope", "data")],
  ["content type of a stream", "D16", ["/components/responses/RecordingStream"]],
  ["a call with several recordings", "D17", [parameter("Part")]],
  ["length of token validity", "D18", field("TokenResponse", "expires")],
  ["how a key relates to tokens", "D19", ["/components/securitySchemes/ApiKey"]],
  ["whose rights a token carries", "D20", ["/components/securitySchemes/AccessToken"]],
  ["rights on records", "D21", [schema("UserSecurityRecord")]],
  ["rights and operations", "D2[12]", field("UserSecurityRecord", ...rights)],
  [
    "rate limits",
    "D23",
    ["/components/responses/TooManyRequests", "/components/headers/RateLimit"],
  ],
  ["plain HTTP", "D24", ["/info"]],
  ["events", "D25", ["/info"]],
  ["versioning policy", "D26", ["/info"]],
  ["zone of datetimes and days", "D34", ["/components/headers/Archive-Time-Zone"]],
  ["what a recording sounds like", "D37", ["/components/headers/Recording-Sound"]],
  ["the record that a recording is of", "D38", ["/components/headers/Recording-Of"]],
  ["the user that calls", "D39", ["/components/headers/Caller"]],
];

const rows = notShown.flatMap(([what, decision, places]) =>
  places.map((place) => ({ what, decision, place })),
);

test.each(rows)("$what: $place carries $decision", ({ decision, place }) => {
  expect(marksOf(place)).toEqual(
    expect.arrayContaining([expect.stringMatching(new RegExp(`^${decision}$`))]),
  );
});

test("every parameter that the interface does not have says so, and why", () => {
  const own = routes.flatMap(({ parameters }) => parameters.filter((one) => "x-extension" in one));
  expect(own).not.toHaveLength(0);
  for (const one of own) expect(one).toHaveProperty("x-decision");
});

function marksOf(pointer: string): unknown[] {
  let found: unknown = document;
  for (const token of pointer.split("/").slice(1)) found = toObject(found)[token];
  return [toObject(found)["x-decision"]].flat();
}

function toObject(value: unknown): Readonly<Record<string, unknown>> {
  if (typeof value !== "object" || value === null)
    throw new Error("the document has no such place");
  return value as Readonly<Record<string, unknown>>; // of an object any key may be asked for
}
