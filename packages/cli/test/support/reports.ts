// A report as the kit gives it, with answers of a service that means harm to whoever reads them.
import type { Exchange, Finding, Observation, Report } from "@call-media/conformance";
import type { JudgedReport } from "../../src/check/expectations.ts";

export const NASTY = '\u0007\u001b[2J<script>alert("x")</script> | ``` ]]> & \ud800';

export const finding: Finding = {
  requirement: "range.days",
  fingerprint: "00000000000000d1",
  times: 1,
  operation: "searchMetadata",
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

const { came: _came, operation: _operation, ...rest } = finding;

/** What nothing came back for, and what belongs to no operation. */
export const silent: Finding = {
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

const profile: Report["profile"] = {
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

export const kept: JudgedReport = {
  baseUrl: "https://archive.example.com",
  against: "decisions",
  verdict: "kept",
  findings: [],
  expected: [],
  stale: [],
  observations: [observation, { ...observation, decision: "D06", observed: "both", agrees: true }],
  coverage: {
    operations: { seen: 15, of: 15, missing: [] },
    statuses: { seen: 60, of: 75, missing: ["listUsers 503"] },
    fields: { seen: 100, of: 110, missing: [] },
  },
  requests: 1412,
  durationMs: 3210,
  skipped: [
    { requirement: "chat.order", why: "no call with a chat was found" },
    { requirement: "auth.expired", why: "no expired token was given" },
    { requirement: "chat.party", why: "no call with a chat was found" },
  ],
  kept: ["auth.missing"],
  unseen: [],
  profile,
};

export const drift: JudgedReport = {
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
      fingerprint: "0000000000000057",
      reason: "statuses were swapped",
    },
  ],
};

export const unable: JudgedReport = { ...kept, verdict: "unable", reason: "It answered HTML" };

export const exchange: Exchange = {
  sent: finding.sent,
  ...(finding.came && { came: finding.came }),
  startedAt: "2026-03-01T10:00:00.000Z",
  durationMs: 12.5,
};
