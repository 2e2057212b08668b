// Services that hardly are any: the check ends and says why. How long it waits and how much it reads is in
// faulty-services.verify.ts.
import type { RequestListener } from "node:http";
import { expect, test } from "vitest";
import { checkService, type Exchange } from "../src/index.ts";
import { holdingOut, signingIn, startService } from "./services.ts";

const credentials = { secretID: "id-of-an-application", secretKey: "a-secret-of-some-length" };

test("nobody listens: unable", async () => {
  const { baseUrl, [Symbol.asyncDispose]: close } = await startService(() => {});
  await close();
  const report = await checkService({ baseUrl, credentials });
  expect(report).toMatchObject({ verdict: "unable", findings: [], requests: 1 });
  expect(report.reason).toContain("ECONNREFUSED");
});

test("nobody listens: whoever asks may say why, in words without a secret", async () => {
  const { baseUrl, [Symbol.asyncDispose]: close } = await startService(() => {});
  await close();
  const { secretKey } = credentials;
  const causes: unknown[] = [];
  const explain = (error: unknown) => {
    causes.push((error as Error).cause);
    return `nobody is there for ${secretKey}`;
  };
  const faults: (string | undefined)[] = [];
  const onExchange = ({ fault }: Exchange) => faults.push(fault);
  const report = await checkService({ baseUrl, credentials }, { explain, onExchange });
  expect(causes).toMatchObject([{ code: "ECONNREFUSED" }]);
  expect(faults).toEqual(["nobody is there for $SECRET_KEY"]);
  expect(report.reason).toBe(`POST ${baseUrl}/Token: ${faults[0]}`);
  const { reason } = await checkService({ baseUrl, credentials }, { explain: () => undefined });
  expect(reason).toContain("ECONNREFUSED");
});

test("it cuts connections in the middle: drift, after a few requests", async () => {
  const hangUp: RequestListener = (_request, response) => void response.destroy();
  await using service = await startService(holdingOut(30, hangUp));
  const report = await checkService({ baseUrl: service.baseUrl, credentials });
  expect(report.verdict).toBe("drift");
  expect(report.reason).toMatch(/^3 of \d+ requests to http:.* had no whole answer: /);
  expect(report.requests).toBeLessThan(45);
  const cut = report.findings.find(({ requirement }) => requirement === "answer.complete");
  expect(cut?.fault).toMatch(/^fetch failed: .*(?:other side closed|ECONNRESET)/);
});

test("it cuts every answer short: drift, after a few requests", async () => {
  await using service = await startService(
    signingIn((_request, response) => {
      response.writeHead(200, { "Content-Type": "application/json", "Content-Length": "1000" });
      response.write('{"isError"', () => response.destroy());
    }),
  );
  const report = await checkService({ baseUrl: service.baseUrl, credentials });
  expect(report.verdict).toBe("drift");
  expect(report.findings[0]).toMatchObject({ requirement: "answer.complete" });
  expect(report.requests).toBeLessThan(10);
});

test("it answers HTML: drift, since that is no JSON", async () => {
  await using service = await startService((_request, response) => {
    response.writeHead(200, { "Content-Type": "text/html" }).end("<h1>It works!</h1>");
  });
  const report = await checkService({ baseUrl: service.baseUrl, credentials });
  expect(report.verdict).toBe("drift");
  expect(report.reason).toBe("signing in brought no access_token");
  expect(report.findings.map(({ requirement }) => requirement)).toContain("answer.json");
});

test("it redirects: unable, and nothing is sent to the other host", async () => {
  await using other = await startService((_request, response) => void response.end());
  await using service = await startService((_request, response) => {
    response.writeHead(307, { Location: `${other.baseUrl}/Token` }).end();
  });
  const report = await checkService({ baseUrl: service.baseUrl, credentials });
  expect(report).toMatchObject({ verdict: "unable", requests: 1 });
  expect(report.reason).toBe(`signing in was answered 307, to ${other.baseUrl}/Token`);
  expect(other.requests()).toBe(0);
});

test.each([
  [{ secretID: "b", secretKey: "wrong" }, "signing in as the second caller was answered 401"],
  [{ apiKey: "wrong" }, "the second caller's API key was answered 401"],
])("it does not take the second caller: nothing is kept: %j", async (restricted, reason) => {
  let asked = 0;
  await using service = await startService((request, response) => {
    request.resume();
    const token = { access_token: "t", type: "Bearer", expires: "2099-01-01T00:00:00Z" };
    // The first request is the first caller's sign-in.
    response.writeHead(asked++ === 0 ? 200 : 401, { "Content-Type": "application/json" });
    response.end(JSON.stringify(token));
  });
  const report = await checkService({ baseUrl: service.baseUrl, credentials, restricted });
  expect(report).toMatchObject({ reason, requests: 2 });
  expect(report.verdict).not.toBe("kept");
});

test.each(["not an address", "ftp://archive.example"])(
  "%s is no address: unable",
  async (baseUrl) => {
    const report = await checkService({ baseUrl, credentials });
    expect(report).toMatchObject({ verdict: "unable", requests: 0 });
  },
);
