// The fake service of packages/testing under the conformance kit: it is the service of the contract, and of any profile.
import { readFile } from "node:fs/promises";
import { routes, type ServiceProfile } from "@call-media/api";
import { createFakeService, type FakeArchive, type FakeService } from "@call-media/testing";
import { serveFake } from "@call-media/testing/http";
import { type ApiReport, checkService, type Target } from "@call-media/conformance";
import { expect, test } from "vitest";

const demo = await readDemo();

function toTarget(service: FakeService): Target {
  const { baseUrl, credentials, apiKey } = service;
  return { baseUrl, credentials, apiKey, fetch: service.fetch };
}

/** What a person reads of a report when a test fails. */
function toText({ verdict, reason, findings, skipped }: ApiReport) {
  const faults = findings.map(
    ({ requirement, fault, curl }) => `${requirement}: ${fault}\n${curl}`,
  );
  return { verdict, reason, faults, skipped };
}

test("a fake of the demo archive keeps everything against the decisions, and nothing is left out", async () => {
  let ahead = 0;
  const clock = { now: () => Date.now() + ahead, schedule: () => () => {} };
  const service = createFakeService({ ...demo, clock });
  ahead = -86_400_000;
  const expiredToken = await signIn(service);
  ahead = 0;
  const target = {
    ...toTarget(service),
    expiredToken,
    restricted: service.accessOf(4).credentials,
  };
  const report = await checkService(target, { against: "decisions" });
  expect(toText(report)).toEqual({ verdict: "kept", reason: undefined, faults: [], skipped: [] });
  expect(report.operations).toMatchObject({
    seen: routes.length,
    of: routes.length,
  });
});

test("over HTTP it keeps everything too", async () => {
  const service = createFakeService(demo);
  await using served = await serveFake(service);
  const { credentials, apiKey } = service;
  const target = { baseUrl: served.baseUrl, credentials, apiKey };
  const report = await checkService(target, { against: "decisions" });
  expect(toText(report)).toMatchObject({ verdict: "kept", faults: [] });
});

const PROFILES: readonly Partial<ServiceProfile>[] = [
  {
    firstPage: 1,
    pageSize: 20,
    pastTheEndStatus: 404,
    recordCount: "page",
    ignoresCase: false,
    ignoresOuterSpaces: false,
    matchesBeginning: true,
    matchesEnd: true,
    ignoresPhoneNotation: false,
    streamRanges: false,
    streamDigest: false,
    tokenLifeS: 900,
  },
  { order: "oldest-first", endDate: "excluded" },
];
/** More than the kit reads, so that it has to choose a window. */
const MANY_CALLS = Array.from({ length: 400 }, (_, index) => ({
  call_id: `call-${index}`,
  datetime: new Date(Date.UTC(2026, 0, 5, 2 * index)).toISOString(),
}));

test.each(PROFILES)("a fake with a profile is found to have it: %o", async (given) => {
  const service = createFakeService({ ...demo, profile: given });
  const { profile } = await checkService(toTarget(service));
  expect(profile).toMatchObject(given);
});

test("the order of a large archive is found with pages from 1 and none past the end", async () => {
  const given = { firstPage: 1, pastTheEndStatus: 404, order: "oldest-first" } as const;
  const service = createFakeService({ calls: MANY_CALLS, profile: given });
  const { profile } = await checkService(toTarget(service));
  expect(profile).toMatchObject({ ...given, recordCount: "all", endDate: "included" });
});

test("a digest of other bytes is observed where the interface leaves it open", async () => {
  const service = createFakeService(demo);
  service.inject({ kind: "wrong-digest", times: Infinity });
  const only = ["streamRecordingByCallId"] as const;
  const { verdict, questions, profile } = await checkService(toTarget(service), { only });
  expect(verdict).toBe("kept");
  expect(questions).toContainEqual(
    expect.objectContaining({ observed: "Repr-Digest, of other bytes", agrees: false }),
  );
  expect(profile["streamDigest"]).toBe(false);
});

test.each([
  ["Preference-Applied", "Preference-Applied is missing"],
  ["Content-Range", /^Content-Range is missing, and \d+ rows come$/],
  ["Cache-Control", "Cache-Control is missing"],
])("a finding names the header that is at fault: %s", async (name, fault) => {
  const service = createFakeService(demo);
  const lacking: Target["fetch"] = async (input, init) => {
    const response = await service.fetch(input, init);
    response.headers.delete(name);
    return response;
  };
  const target = { ...toTarget(service), fetch: lacking };
  const { findings } = await checkService(target, {
    against: "decisions",
    only: ["searchMetadata"],
  });
  expect(findings).toContainEqual(
    expect.objectContaining({ fault: expect.stringMatching(fault), operation: "searchMetadata" }),
  );
});

/** One service is all that these refusals are asked of. */
async function signIn({ baseUrl, credentials, fetch }: FakeService): Promise<string> {
  const headers = { "Content-Type": "application/json" };
  const body = JSON.stringify(credentials);
  const response = await fetch(`${baseUrl}/Token`, { method: "POST", headers, body });
  return ((await response.json()) as { access_token: string }).access_token; // the contract's form
}

/** The demo archive as a seed. */
async function readDemo(): Promise<FakeArchive> {
  const folder = new URL("../demo/", import.meta.resolve("@call-media/server"));
  const text = await readFile(new URL("archive.jsonl", folder), "utf8");
  const rows = text
    .split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line)); // its kinds are told apart below
  const of = (kind: string) =>
    rows.filter((row) => row.kind === kind).map(({ kind: _kind, ...row }) => row);
  // `media` is a list of files, or the field of that name where there are none.
  const calls = of("call").map(async ({ media, media_field, session_id, master_id, ...call }) => {
    const files: readonly { file: string }[] = Array.isArray(media) ? media : [];
    const recordings = files.map(async ({ file }) => ({
      filename: file,
      bytes: new Uint8Array(await readFile(new URL(`media/${file}`, folder))),
    }));
    return {
      ...call,
      media: media_field ?? (typeof media === "string" ? media : null),
      references: [session_id, master_id].filter(Boolean),
      recordings: await Promise.all(recordings),
    };
  });
  return {
    calls: await Promise.all(calls),
    users: of("user"),
    flags: of("flag"),
    chats: of("chat"),
  };
}
