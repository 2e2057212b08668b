// The formats that programs read, through the parsers that programs use.
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { XMLParser, XMLValidator } from "fast-xml-parser";
import { marked, type Token, type Tokens } from "marked";
import type { Log } from "sarif";
import type { Har } from "har-format";
import { listRequirements, type Yardstick } from "@call-media/conformance";
import { beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { toHar } from "../src/check/har.ts";
import { toJunit } from "../src/check/junit.ts";
import { toMarkdown } from "../src/check/markdown.ts";
import { toObservationTable } from "../src/check/observations.ts";
import { toSarif } from "../src/check/sarif.ts";
import { toText } from "../src/check/text.ts";
import type { OpenApiFile } from "@call-media/contract-diff/files";
import { readOpenApiFile } from "../src/files/document-file.ts";
import { findJunitFaults, findSarifFaults } from "./support/report-rules.ts";
import {
  drift,
  exchange,
  finding,
  found,
  kept,
  NASTY,
  observation,
  silent,
  unable,
} from "./support/reports.ts";

describe("junit", () => {
  const parser = new XMLParser({
    ignoreAttributes: false,
    attributeNamePrefix: "",
    isArray: (name) => name === "testcase",
    htmlEntities: true,
  });
  const parse = (xml: string) => {
    expect(XMLValidator.validate(xml)).toBe(true);
    return parser.parse(xml).testsuites.testsuite;
  };

  test.each([drift, kept, unable])("has what junit-10.xsd has, and no more: $verdict", (report) => {
    expect(findJunitFaults(toJunit(report))).toEqual([]);
  });

  test("the run has the time that all took, and the suite the sum", () => {
    const { time, testcase } = parse(toJunit(kept));
    expect(time).toBe("3.210");
    expect(testcase.at(-1)).toMatchObject({ name: "run", time: "3.210" });
  });

  test("a requirement is one test, whatever was found for it", () => {
    const suite = parse(toJunit(drift));
    expect(suite).toMatchObject({
      tests: "9",
      failures: "3",
      errors: "0",
      skipped: "4",
      time: "3.210",
    });
    const names = suite.testcase.map(({ name }: { name: string }) => name);
    expect(names).toEqual([
      "range.days",
      "answer.complete",
      "expected: users.status, listUsers",
      "chat.order",
      "auth.expired",
      "chat.party",
      "token.fields",
      "auth.missing searchMetadata",
      "run",
    ]);
    expect(suite.testcase[0].failure["#text"]).toContain("searchMetadataByCustomFields: A call of");
    expect(suite.testcase[0].failure["#text"]).toContain(finding.curl);
    expect(suite.testcase[6].skipped.message).toBe("expected: mended in version 4");
  });

  test("text of an answer stays text, and XML stays XML", () => {
    const xml = toJunit(drift);
    expect(xml).not.toContain("<script");
    expect(xml.isWellFormed()).toBe(true);
    expect(xml).not.toContain("]]>");
    const { message } = parse(xml).testcase[0].failure;
    expect(message).toContain(NASTY.replaceAll(/\p{Cc}|\p{Cs}/gu, "\ufffd"));
  });

  test("a requirement that fails in one place and is expected in another fails", () => {
    const expected = [{ ...finding, operation: "searchMetadata" as const, reason: "known" }];
    const suite = parse(toJunit({ ...drift, expected }));
    const names = suite.testcase.map(({ name }: { name: string }) => name);
    expect(names.filter((name: string) => name === "range.days")).toHaveLength(1);
  });

  test("a run that did not end is an error", () => {
    expect(parse(toJunit(unable))).toMatchObject({ failures: "0", errors: "1" });
    expect(parse(toJunit(kept))).toMatchObject({ tests: "5", failures: "0", errors: "0" });
  });
});

describe("sarif", () => {
  const folder = fileURLToPath(new URL("../../../spec", import.meta.url));
  const written = readFileSync(join(folder, "openapi.yaml"), "utf8").split("\n");
  let document: OpenApiFile;
  beforeAll(async () => {
    document = await readOpenApiFile(join(folder, "openapi.yaml"));
  });
  // Outside of git, too, it runs at the root of the tree.
  beforeEach(() => void vi.spyOn(process, "cwd").mockReturnValue(dirname(folder)));

  const toRun = (report: typeof drift) => {
    const log: Log = JSON.parse(toSarif(report, document));
    expect(log).toMatchObject({
      version: "2.1.0",
      $schema: expect.stringContaining("sarif-schema-2.1.0"),
    });
    const [run] = log.runs;
    if (run === undefined) throw new Error("a log has a run");
    return run;
  };

  test("a rule for each requirement, a result for each finding", () => {
    const { tool, results = [] } = toRun(drift);
    const rules = tool.driver.rules ?? [];
    const ids = ["range.days", "answer.complete", "token.fields"];
    expect(rules.map(({ id }) => id)).toEqual(expect.arrayContaining([...ids, "auth.missing"]));
    expect(results).toHaveLength(4);
    for (const { ruleId, ruleIndex = -1 } of results) expect(rules[ruleIndex]?.id).toBe(ruleId);
    expect(results[0]).toMatchObject({
      level: "error",
      locations: [
        {
          physicalLocation: { artifactLocation: { uri: "spec/openapi.yaml" } },
          logicalLocations: [{ name: "searchMetadata" }],
        },
      ],
      webRequest: { method: "POST", body: { text: '{"agent":"ana.kovac"}' } },
      webResponse: { statusCode: 200 },
    });
    expect(results[2]).toMatchObject({
      ruleId: silent.requirement,
      webResponse: { noResponseReceived: true },
    });
  });

  test("is what GitHub takes: each result at the line of its operation in a file of the repository", () => {
    expect(findSarifFaults(toSarif(drift, document), join(folder, ".."))).toEqual([]);
    const lines = toRun(drift).results?.map(
      ({ locations }) => locations?.[0]?.physicalLocation?.region?.startLine ?? 0,
    );
    const shown = lines?.map((line) => written[line - 1]?.trim());
    expect(shown?.[0]).toContain("metadata_search.yaml");
    expect(shown?.[3]).toContain("metadata_search.yaml");
  });

  test("finds an operation in a document of one file, by its id, wherever its path begins", async () => {
    const bundled = await readOpenApiFile(
      fileURLToPath(import.meta.resolve("@call-media/api/openapi.json")),
    );
    const moved = { ...bundled, document: structuredClone(bundled.document) };
    const paths = moved.document["paths"] as Record<string, unknown>; // the contract has paths
    moved.document["paths"] = { "/v1/search": paths["/metadata/search"] };
    const pointers: string[] = [];
    const placeOf = (pointer: string) => ({ file: "openapi.json", line: pointers.push(pointer) });
    toSarif({ ...kept, findings: [finding] }, { ...bundled, placeOf });
    toSarif({ ...kept, findings: [finding] }, { ...moved, placeOf });
    expect(pointers).toEqual(["#/paths/~1metadata~1search/post", "#/paths/~1v1~1search/post"]);
  });

  test("the rules are the requirements of the yardstick, kept ones as well, each with its source", () => {
    const toRules = (against: Yardstick) => toRun({ ...kept, against }).tool.driver.rules ?? [];
    const [stated, all] = [toRules("interface"), toRules("decisions")];
    const ids = all.map(({ id }) => id);
    expect(ids).toEqual(listRequirements("decisions").map(({ id }) => id));
    expect(new Set(ids).size).toBe(ids.length);
    expect(stated.map(({ id }) => id)).toContain("auth.missing");
    expect(stated.map(({ id }) => id)).not.toContain("page.base");
    expect(all).toContainEqual({
      id: "page.base",
      shortDescription: { text: "pageIndex counts from 0." },
      fullDescription: { text: "Source: decision D07" },
    });
  });

  test("an expected finding is listed as suppressed, with its reason", () => {
    const suppressions = toRun(drift).results?.map((result) => result.suppressions);
    expect(suppressions).toEqual([
      undefined,
      undefined,
      undefined,
      [{ kind: "external", justification: "mended in version 4" }],
    ]);
  });

  test("stale expectations and the reason of an early end are notices of the run", () => {
    const text =
      "Expected, but not found any more: users.status, listUsers (statuses were swapped)";
    expect(toRun(drift).invocations).toMatchObject([
      { executionSuccessful: true, toolExecutionNotifications: [{ message: { text } }] },
    ]);
    expect(toRun(unable).invocations).toMatchObject([
      {
        executionSuccessful: false,
        toolExecutionNotifications: [{ message: { text: unable.reason } }],
      },
    ]);
  });
});

describe("markdown", () => {
  const isTable = (token: Token): token is Tokens.Table => token.type === "table";
  const isCode = (token: Token): token is Tokens.Code => token.type === "code";

  test("names what is expected, and what was", () => {
    const tables = marked.lexer(toMarkdown(drift)).filter(isTable);
    const cells = tables.map(({ rows }) => rows[0]?.map((cell) => cell.text) ?? []);
    expect(cells[1]?.[2]).toContain("A call of 2026-03-02");
    expect(cells[2]).toEqual(["users.status", "listUsers", "", "statuses were swapped"]);
  });

  test("a table of the findings, with each one to unfold", () => {
    const tokens = marked.lexer(toMarkdown(drift));
    const first = tokens.find(isTable);
    expect(first?.rows).toHaveLength(3);
    expect(first?.rows[0]?.map((cell) => cell.text).at(-1)).toBe("decision D06");
    const blocks = tokens.filter(isCode);
    expect(blocks).toHaveLength(3);
    for (const { text } of blocks) expect(text).toContain(finding.curl);
  });

  test("text of an answer cannot become markup", async () => {
    const html = await marked.parse(toMarkdown(drift));
    expect(html).not.toContain("<script");
    expect(html).toContain("<summary>range.days, searchMetadata, A call of 2026-03-02");
    expect(html.match(/\\u001b\[2J&lt;script&gt;/g)).toHaveLength(5);
    expect(html).not.toContain("\u001b");
    const words = "**@team** [x](y) # & <b>";
    const said = await marked.parse(toMarkdown({ ...drift, verdict: "unable", reason: words }));
    expect(said).not.toMatch(/@team|<strong>|href="y"|<b>/);
    expect(said).toContain("**@\u200bteam** [x](y) # &amp; &lt;b&gt;");
  });

  test("requirements that were not checked are a table with a row for each reason", () => {
    const table = marked.lexer(toMarkdown(kept)).find(isTable);
    expect(table?.rows.map((row) => row.map((cell) => cell.text))).toEqual([
      ["chat.order, chat.party", "no call with a chat was found"],
      ["auth.expired", "no expired token was given"],
    ]);
  });

  test("the answers to the open questions are a table too", () => {
    const table = marked.lexer(toObservationTable(found)).find(isTable);
    expect(table?.rows[0]?.map((cell) => cell.text)).toEqual([
      observation.decision,
      observation.question,
      observation.observed,
      observation.ours,
      "no",
    ]);
  });
});

describe("har", () => {
  test("an exchange is an entry", () => {
    const { log }: Har = JSON.parse(toHar([exchange]));
    expect(log).toMatchObject({ version: "1.2", creator: { name: "call-media" } });
    expect(log.entries).toEqual([
      expect.objectContaining({
        startedDateTime: "2026-03-01T10:00:00.000Z",
        time: 12.5,
        cache: {},
      }),
    ]);
    expect(log.entries[0]?.request).toMatchObject({
      method: "POST",
      queryString: [
        { name: "pageIndex", value: "0" },
        { name: "startDate", value: "2026-03-01" },
        { name: "endDate", value: "2026-03-01" },
      ],
      postData: { mimeType: "application/json", text: '{"agent":"ana.kovac"}' },
      bodySize: 21,
    });
    expect(log.entries[0]?.response).toMatchObject({
      status: 200,
      statusText: "OK",
      bodySize: 1234,
    });
  });

  test("a request that nothing came back for has status 0 and says why", () => {
    const { came: _, ...lost } = exchange;
    const { log }: Har = JSON.parse(toHar([{ ...lost, fault: "the connection was cut" }]));
    expect(log.entries[0]).toMatchObject({
      response: { status: 0 },
      _error: "the connection was cut",
    });
  });
});

test("the text and the Markdown report list the parts of the document that no response showed", () => {
  const none = { seen: 4, of: 4, missing: [] };
  const fields = Array.from({ length: 11 }, (_, index) => `listRows rows/*/f${index}`);
  const report = {
    ...kept,
    shown: {
      fields: { seen: 9, of: 20, missing: fields },
      parameters: none,
      statuses: none,
      values: [{ place: "listRows rows/*/status", seen: 3, of: 5, missing: ["lost", "gone"] }],
    },
  };
  const text = toText(report, { width: 200, paint: (_style, shown) => shown });
  expect(text).toContain("3 of 5 values of listRows rows/*/status; not: lost, gone");
  expect(text).toMatch(/9 of 20 fields with two values; not: .*f7, 3\s+more/);
  expect(toMarkdown(report)).toMatch(
    /\| values of listRows rows\/\S+status \| 3 of 5 \| lost, gone \|/,
  );
});
