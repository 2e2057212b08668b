// Services that hardly are any: the check ends in bounded time and memory and says why.
import { expect, test } from "vitest";
import { checkService } from "../src/index.ts";
import { holdingOut, signingIn, startService } from "./services.ts";

const credentials = { secretID: "id-of-an-application", secretKey: "a-secret-of-some-length" };

test.concurrent("it hangs: unable, after one time-out", async () => {
  await using service = await startService(() => {});
  const report = await checkService({ baseUrl: service.baseUrl, credentials });
  expect(report).toMatchObject({ verdict: "unable", requests: 1 });
  expect(report.reason).toContain("no whole answer within 10 s");
});

test.concurrent("it signs in and then hangs: drift, after one time-out", async () => {
  await using service = await startService(holdingOut(0, () => {}));
  const report = await checkService({ baseUrl: service.baseUrl, credentials });
  expect(report).toMatchObject({ verdict: "drift", requests: 2 });
  expect(report.reason).toContain("no whole answer within 10 s");
  expect(report.findings).toMatchObject([
    { requirement: "answer.complete", operation: "searchMetadataByCustomFields" },
  ]);
});

test.concurrent("it hangs in the middle: drift, after three time-outs", async () => {
  await using service = await startService(holdingOut(30, () => {}));
  const report = await checkService({ baseUrl: service.baseUrl, credentials });
  expect(report.verdict).toBe("drift");
  expect(report.reason).toMatch(/^3 of \d+ requests to http:.* had no whole answer: /);
  // Those that were under way with the third may have no answer either.
  expect(report.requests).toBeLessThan(45);
  expect(report.durationMs).toBeLessThan(35_000);
  expect(report.findings.map(({ fault }) => fault)).toContain("no whole answer within 10 s");
});

test("it answers 200 MB: the check reads no more than it has to", async () => {
  const chunk = Buffer.alloc(2 ** 20, " ");
  let sent = 0;
  await using service = await startService(
    signingIn((_request, response) => {
      response.writeHead(200, { "Content-Type": "application/json" });
      let left = 200;
      const write = (): void => {
        while (left > 0 && !response.destroyed) {
          left -= 1;
          sent += chunk.length;
          if (!response.write(chunk)) return void response.once("drain", write);
        }
        response.end();
      };
      write();
    }),
  );
  const report = await checkService({ baseUrl: service.baseUrl, credentials });
  expect(report.verdict).toBe("drift");
  expect(report.findings[0]?.fault).toBe("the body is larger than 33554432 bytes");
  // What is kept, and what the two ends hold on the way.
  expect(sent).toBeLessThan(64 * 2 ** 20);
});

test("it answers everything with JSON that makes no sense: drift, and no exception", async () => {
  const nonsense = [
    "[]",
    "null",
    '{"data":{"data":[]}}',
    '{"data":[null,5,{"call_id":{}}]}',
    '"x"',
  ];
  let count = 0;
  await using service = await startService(
    signingIn((_request, response) => {
      count += 1;
      response.writeHead(200, { "Content-Type": "application/json" });
      response.end(nonsense[count % nonsense.length]);
    }),
  );
  const report = await checkService({ baseUrl: service.baseUrl, credentials });
  expect(report.verdict).toBe("drift");
  expect(report.requests).toBeLessThanOrEqual(600);
});
