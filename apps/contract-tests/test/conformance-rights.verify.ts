// The findings of the conformance kit for a service that ignores the rights of a restricted caller in one operation.
import { createFakeService, type FakeService } from "@call-media/testing";
import { type ApiReport, checkService, type Target, type Yardstick } from "@call-media/conformance";
import { expect, test } from "vitest";

const ADMINISTRATOR = 1;
const RESTRICTED = 2;

const fields =
  "campaigns skills agents groups flags secure01 secure02 secure03 secure04 secure05 media";
const allow = fields.split(" ").map((name) => [`allow_all_${name}`, name !== "campaigns"]);
const rights = { allow_download: true, allow_all_download_doc_type: true };

/** A campaign, which the rights cover, is what most calls have in common; references are shared by two. */
function createService(): FakeService {
  const calls = Array.from({ length: 60 }, (_, index) => ({
    call_id: `call-${index}`,
    ref_id: `reference-${index >> 1}`,
    datetime: new Date(Date.UTC(2026, 0, 5, 2 * index)).toISOString(),
    campaign: index % 6 < 4 ? "Retail" : "Loans",
    agent: ["ana", "mia", "tom"][index % 3] ?? null,
    recordings: index % 2 === 0 ? [{ filename: `${index}.wav`, bytes: new Uint8Array(99) }] : [],
  }));
  const users = [
    { id: ADMINISTRATOR, username: "admin", is_admin: true, ...rights },
    {
      id: RESTRICTED,
      username: "sam",
      ...rights,
      ...Object.fromEntries(allow),
      allowed_campaigns: ["Retail"],
    },
  ];
  const flags = [{ Name: "To coach", user_id: ADMINISTRATOR }];
  return createFakeService({ calls, users, flags });
}

/** Checks a service that answers everybody as the administrator where the path begins so. */
async function checkLeaking(path: string | undefined, against: Yardstick): Promise<ApiReport> {
  const service = createService();
  const { baseUrl, accessOf } = service;
  const leaking: Target["fetch"] = (input, init) => {
    const request = new Request(input, init);
    const isLeak = path !== undefined && new URL(request.url).pathname.startsWith(path);
    if (isLeak && request.headers.has("Authorization"))
      request.headers.set("Authorization", `Bearer ${accessOf(ADMINISTRATOR).apiKey}`);
    return service.fetch(request);
  };
  const { apiKey } = accessOf(ADMINISTRATOR);
  const restricted = { apiKey: accessOf(RESTRICTED).apiKey };
  return checkService({ baseUrl, apiKey, restricted, fetch: leaking }, { against });
}

const ofRights = ({ findings }: ApiReport) =>
  findings.filter(({ requirement }) => requirement.startsWith("rights."));

test.each([
  ["/metadata/search", "rights.records", "searchMetadata"],
  ["/metadata/by-custom-fields", "rights.records", "searchMetadataByCustomFields"],
  ["/metadata/by-call-id", "rights.hidden", "getMetadataByCallId"],
  ["/metadata/by-reference", "rights.hidden", "getMetadataByReference"],
  ["/recording/by-call-id", "rights.hidden", "getRecordingByCallId"],
  ["/users/address-info", "rights.users", "getUserAddresses"],
])("a leak by only %s is found", async (path, requirement, operation) => {
  expect(ofRights(await checkLeaking(path, "decisions"))).toMatchObject([
    { requirement, operation },
  ]);
});

const ofRightsObserved = ({ questions }: ApiReport) =>
  questions.filter(({ decision }) => decision === "D21" || decision === "D22");

test.each([
  ["/metadata/by-call-id", "D21", "getMetadataByCallId"],
  ["/recording/stream-by-call-id", "D21", "streamRecordingByCallId"],
  ["/users/security-info", "D22", "getUserSecurityRights"],
  ["/flags/private", "D22", "listPrivateFlags"],
])("a leak by %s is observed where the interface leaves it open", async (path, decision, where) => {
  const report = await checkLeaking(path, "interface");
  expect(ofRights(report)).toEqual([]);
  expect(ofRightsObserved(report).filter(({ agrees }) => !agrees)).toMatchObject([
    { decision, observed: expect.stringContaining(where) },
  ]);
});

test("a service that keeps the rights has no finding", async () => {
  const report = await checkLeaking(undefined, "decisions");
  expect(ofRights(report)).toEqual([]);
  expect(ofRightsObserved(report).map(({ agrees }) => agrees)).toEqual(Array(6).fill(true));
});
