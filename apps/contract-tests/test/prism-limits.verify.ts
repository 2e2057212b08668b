// The contract as a mock service (Prism) under the conformance kit: what it cannot show is listed in prism-limits.json,
// with the reason, and the list is neither too short nor too long.
import { type ApiFinding, type ApiReport, checkService } from "@call-media/conformance";
import { beforeAll, describe, expect, test } from "vitest";
import limits from "../prism-limits.json" with { type: "json" };
import { startPrismGateway } from "../src/prism-gateway.ts";

// Prism takes any; those of the second caller and the expired token only have to differ from the others.
const CALLERS = {
  credentials: { secretID: "first-caller", secretKey: "secret-of-the-first" },
  restricted: { secretID: "second-caller", secretKey: "secret-of-the-second" },
  apiKey: "key-of-the-first-caller",
  expiredToken: "token-that-has-expired",
};

let ofInterface: ApiReport;
let ofDecisions: ApiReport;
let lastWords: Promise<string>;
beforeAll(async () => {
  await using gateway = await startPrismGateway();
  ({ lastWords } = gateway);
  const target = { ...CALLERS, baseUrl: gateway.baseUrl, fetch: gateway.fetch };
  [ofInterface, ofDecisions] = await Promise.all([
    checkService(target, { against: "interface" }),
    checkService(target, { against: "decisions" }),
  ]);
});

describe.each([
  { against: "interface", reportOf: () => ofInterface },
  { against: "decisions", reportOf: () => ofDecisions },
])("against the $against", ({ reportOf }) => {
  test("every operation was seen, and the check went through to its end", () => {
    const report = reportOf();
    console.log(toSummary(report));
    expect(report).toMatchObject({ verdict: "drift", unseen: [] });
    expect(report.reason).toBeUndefined();
  });

  test("nothing is found but known limits", () => {
    const unknown = reportOf().findings.filter((finding) => !limits.some(isAbout(finding)));
    expect(unknown.map(toText)).toEqual([]);
  });
});

test("every known limit is still found", () => {
  const stale = limits.filter((limit) => !ofDecisions.findings.some((one) => isAbout(one)(limit)));
  expect(stale).toEqual([]);
});

test("a badly encoded identifier ends Prism's process", async () => {
  expect(await lastWords).toContain("URIError: URI malformed");
});

function isAbout({ requirement, operation }: ApiFinding) {
  return (limit: { readonly requirement: string; readonly operation?: string }) =>
    limit.requirement === requirement && (limit.operation ?? operation) === operation;
}

function toText({ requirement, operation, fault, curl }: ApiFinding): string {
  return `${requirement}, ${operation}: ${fault}\n${curl}`;
}

/** Counts requirements: one that Prism does not keep for several operations is one limit. */
function toSummary({ against, kept, findings, skipped, requests, durationMs }: ApiReport): string {
  const known = new Set(findings.map(({ requirement }) => requirement));
  return (
    `Prism against the ${against}: kept ${kept.length}, known limits ${known.size}, ` +
    `not checked ${skipped.length}; ${requests} requests in ${(durationMs / 1000).toFixed(1)} s`
  );
}
