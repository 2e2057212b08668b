// A report as the kit gives it, with answers of a service that means harm to whoever reads them.
import type { ApiFinding, ApiReport, Exchange, Observation } from "@call-media/conformance";
import type { CheckedReport } from "../../src/check/checked-report.ts";
import type { Judged } from "../../src/check/expectations.ts";
import { toChecked } from "../../src/check/subject.ts";

export const NASTY = '\u0007\u001b[2J<script>alert("x")</script> | ``` ]]> & \ud800';

export const finding: ApiFinding = {
  requirement: "range.days",
  fingerprint: "00000000000000d1",
  times: 1,
  operation: "searchMetadata",
  alsoAt: [],
  says: "A search of a range of days finds no call of another day",
  source: "D06",
  fault: `A call of 2026-03-02 was found by a search of 2026-03-01: ${NASTY}`,
  sent: {
    method: "POST",
    url: "https://archive.example.com/metadata/search?pageIndex=0&startDate=2026-03-01&endDate=2026-03-01",
    headers: { authorization: "Bearer $TOKEN", "content-type": "application/json" },
    body: '{"agent":"ana.kovac"}',
  },
  came: {
    status: 200,
    headers: { "content-type": "application/json" },
    body: `{"isError":false,"errorMessage":null,"data":[{"notes":${JSON.stringify("long ".repeat(200))}}]}`,
    bodyBytes: 1234,
  },
  curl: `curl -X POST -H 'Authorization: Bearer $TOKEN' -H 'Content-Type: application/json' -d '{"agent":"ana.kovac"}' 'https://archive.example.com/metadata/search?pageIndex=0&startDate=2026-03-01&endDate=2026-03-01'`,
};

const { came: _came, ...rest } = finding;

/** What nothing came back for. */
export const silent: ApiFinding = {
  ...rest,
  requirement: "answer.complete",
  fingerprint: "00000000000000c0",
  fault: "No answer came",
};

export const observation: Observation = {
  decision: "D07",
  question: "Whether pageIndex counts from 0 or 1",
  observed: "from 1",
  ours: "from 0; pageID repeats it",
  agrees: false,
  value: 1,
};

const profile: ApiReport["profile"] = {
  baseUrl: "https://archive.example.com",
  firstPage: 1,
  pageSize: 50,
  pastTheEndStatus: null,
  recordCount: null,
  order: null,
  endDate: null,
  utcOffsetMinutes: null,
  ignoresCase: null,
  ignoresOuterSpaces: null,
  matchesBeginning: null,
  matchesEnd: null,
  ignoresPhoneNotation: null,
  streamRanges: null,
  streamDigest: null,
  tokenLifeS: null,
};

const toSkipped = (requirement: string, why: string) => ({
  requirement,
  operation: "getChatByCallId",
  why,
});
export const toKept = (requirement: string) => ({
  requirement,
  operation: "searchMetadata",
  witness: "a response",
});

/** As the kit gives it. */
export const found: Judged<ApiReport> = {
  baseUrl: "https://archive.example.com",
  against: "decisions",
  verdict: "kept",
  findings: [],
  expected: [],
  stale: [],
  observations: [],
  questions: [observation, { ...observation, decision: "D06", observed: "both", agrees: true }],
  headline: "Kept: 1 clause at 15 of 15 operations, each seen at work. Not checked: 3.",
  operations: { seen: 15, of: 15 },
  coverage: {
    statuses: { seen: 60, of: 75, missing: ["listUsers 503"] },
    fields: { seen: 100, of: 110, missing: [] },
    parameters: { seen: 2, of: 2, missing: [] },
    values: [],
  },
  notes: [],
  left: [],
  requests: 1412,
  durationMs: 3210,
  skipped: [
    toSkipped("chat.order", "no call with a chat was found"),
    toSkipped("auth.expired", "no expired token was given"),
    toSkipped("chat.party", "no call with a chat was found"),
  ],
  kept: [toKept("auth.missing")],
  unseen: [],
  profile,
};

/** As all formats read it. */
export const kept: CheckedReport = toChecked(found);

export const drift: CheckedReport = {
  ...kept,
  verdict: "drift",
  findings: [
    finding,
    { ...finding, operation: "searchMetadataByCustomFields", fingerprint: "00000000000000d2" },
    silent,
  ],
  expected: [{ ...finding, requirement: "token.fields", reason: "mended in version 4" }],
  stale: [
    {
      requirement: "users.status",
      operation: "listUsers",
      reason: "statuses were swapped",
    },
  ],
};

export const unable: CheckedReport = { ...kept, verdict: "unable", reason: "It answered HTML" };

export const exchange: Exchange = {
  sent: finding.sent,
  ...(finding.came && { came: finding.came }),
  startedAt: "2026-03-01T10:00:00.000Z",
  durationMs: 12.5,
};
