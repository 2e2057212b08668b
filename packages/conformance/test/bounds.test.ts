// Budget, pace, patience and secrets of a run.
import { setTimeout as wait } from "node:timers/promises";
import { expect, test } from "vitest";
import { type OperationId, routes } from "@call-media/api";
import { checkService, type Exchange, listRequirements, type Yardstick } from "../src/index.ts";
import { createService, signedIn, toEnvelope, TOKEN } from "./services.ts";

const credentials = { secretID: "id-of-an-application", secretKey: "a-secret-of-some-length" };

const answerNothing = () => ({ body: toEnvelope([]) });

const nothing = signedIn(answerNothing);

test("no more requests are sent than the budget has", async () => {
  const service = createService(nothing);
  const report = await checkService({ ...service, credentials }, { maxRequests: 7 });
  expect(service.requests()).toBe(7);
  expect(report).toMatchObject({
    requests: 7,
    reason: expect.stringContaining("7 requests is used up: --max-requests"),
  });
});

test("no faster than asked for", async () => {
  const service = createService(nothing);
  const started = performance.now();
  const target = { ...service, credentials };
  await checkService(target, { maxRequests: 10, requestsPerSecond: 20 });
  expect(performance.now() - started).toBeGreaterThan(9 * 50 - 20);
});

test("429 is waited for as long as Retry-After says, and is no finding", async () => {
  const times: number[] = [];
  const service = createService((asked) => {
    times.push(performance.now());
    return times.length > 1 ? nothing(asked) : { status: 429, headers: { "Retry-After": "1" } };
  });
  const target = { ...service, credentials };
  const report = await checkService(target, { maxRequests: 2 });
  expect(report.findings.filter(({ came }) => came?.status === 429)).toEqual([]);
  expect((times[1] ?? 0) - (times[0] ?? 0)).toBeGreaterThan(950);
});

test("503 with Retry-After is waited for, and is no finding", async () => {
  let outages = 0;
  const service = createService((asked) => {
    if (outages === 3) return nothing(asked);
    outages += 1;
    return { status: 503, headers: { "Retry-After": "0" } };
  });
  const target = { ...service, credentials };
  const report = await checkService(target, { maxRequests: 10 });
  expect(report.reason).toContain("the budget of 10 requests is used up");
  expect(report.findings.filter(({ came }) => came?.status === 503)).toEqual([]);
});

test("a service that answers 503 for good is taken at its word after a few tries, and has drifted", async () => {
  const service = createService(() => ({ status: 503, headers: { "Retry-After": "0" } }));
  const report = await checkService({ ...service, credentials });
  expect(report).toMatchObject({
    verdict: "drift",
    requests: 6,
    reason: "signing in was answered 503",
    findings: [{ requirement: "answer.server-error", fault: "the answer is 503" }],
  });
});

test("while one request waits for 429 to end, no other is sent", async () => {
  const times: number[] = [];
  let refusedMs = Infinity;
  const service = createService(
    signedIn(({ url }) => {
      const nowMs = performance.now();
      if (nowMs > refusedMs) times.push(nowMs - refusedMs);
      // The filters are asked for side by side.
      const isFilter = url.pathname.startsWith("/metadata/search");
      if (!isFilter || refusedMs !== Infinity) return answerNothing();
      refusedMs = nowMs;
      return { status: 429, headers: { "Retry-After": "4" } };
    }),
  );
  const target = { ...service, credentials };
  await checkService(target, { maxRequests: 80 });
  // Requests already under way came before; a busy machine may take a while to wait.
  expect(times.filter((ms) => ms > 2000 && ms < 3900)).toEqual([]);
  expect(times.filter((ms) => ms > 3900).length).toBeGreaterThan(10);
});

test("a service that answers nothing but 429 is left alone after a few tries", async () => {
  const service = createService(() => ({ status: 429, headers: { "Retry-After": "0" } }));
  const report = await checkService({ ...service, credentials });
  expect(report).toMatchObject({
    verdict: "unable",
    requests: 6,
    reason: expect.stringMatching(/^http:.* answers 429 again and again$/),
  });
});

test("a check that is stopped says so", async () => {
  const service = createService(nothing);
  const stop = new AbortController();
  const report = await checkService(
    { ...service, credentials },
    { signal: stop.signal, onProgress: ({ requests }) => requests === 5 && stop.abort() },
  );
  expect(report.reason).toBe("the check was stopped");
  expect(report.requests).toBeLessThan(10);
});

test("a floor that is not reached is told", async () => {
  const service = createService(nothing);
  const target = { ...service, credentials };
  const report = await checkService(target, { floor: 0.9, isEmptyOk: true });
  expect(report.reason).toMatch(/^only \d+ of \d+ checks could be made; the floor is 90%$/);
});

test("findings are of the operations that were asked for alone", async () => {
  const service = createService(nothing);
  const target = { ...service, credentials };
  const report = await checkService(target, { only: ["listPublicFlags"] });
  expect(new Set(report.findings.map(({ operation }) => operation))).toEqual(
    new Set(["listPublicFlags"]),
  );
  const failed = new Set(report.findings.map(({ requirement }) => requirement));
  expect(report.kept.filter(({ requirement }) => failed.has(requirement))).toEqual([]);
  const { requests } = await checkService(target);
  expect(report.requests).toBeLessThan(requests);
});

test("findings stand in one order, whichever answer came first", async () => {
  let requests = 0;
  // What is asked first of those that are asked at once is answered last.
  const service = createService(
    signedIn(async () => {
      await wait(40 - (requests++ % 20) * 2);
      return { status: 500, body: "no" };
    }),
  );
  const { findings } = await checkService({ ...service, credentials });
  const found = findings.map(({ requirement, operation }) => `${requirement} ${operation}`);
  expect(found.length).toBeGreaterThan(20);
  expect(found).toEqual(found.toSorted());
});

test("what is left out is told of this yardstick and the operations that were asked for", async () => {
  const service = createService(nothing);
  const target = { ...service, credentials };
  const left = await Promise.all(
    (["interface", "decisions"] as const).map(async (against) => {
      const { skipped } = await checkService(target, { against, only: ["getRecordingByCallId"] });
      return skipped.map(({ requirement }) => requirement);
    }),
  );
  const [stated = [], all = []] = left;
  // The archive is empty: no recording, and nobody's second caller.
  expect(stated).toContain("recording.base64");
  expect(all).toEqual(expect.arrayContaining([...stated, "rights.download", "recording.names"]));
  const isOther = (against: Yardstick, id: string) =>
    !listRequirements(against).some(
      (one) => one.id === id && one.operations.includes("getRecordingByCallId"),
    );
  expect(stated.filter((id) => isOther("interface", id))).toEqual([]);
  expect(all.filter((id) => isOther("decisions", id))).toEqual([]);
});

test("secrets are nowhere in the report and the log, wherever a service puts them", async () => {
  const service = createService((asked) => {
    const { url } = asked;
    if (url.pathname === "/Token") return nothing(asked);
    const headers = {
      "Content-Type": "text/plain",
      "X-Echo": String(asked.headers.get("Authorization")),
    };
    // A fault may say what stands in place of isError.
    const envelope = { isError: credentials.secretKey, errorMessage: null, data: [] };
    const all = {
      ...envelope,
      ...credentials,
      TOKEN,
      url,
      headers: Object.fromEntries(asked.headers),
    };
    return { headers, body: JSON.stringify(all) };
  });
  const exchanges: Exchange[] = [];
  const apiKey = "an-api-key-of-some-length";
  const report = await checkService(
    { ...service, credentials, apiKey, expiredToken: "an-expired-token-of-old" },
    { against: "decisions", onExchange: (exchange) => exchanges.push(exchange) },
  );
  const told = JSON.stringify([report, exchanges]);
  for (const secret of [...Object.values(credentials), TOKEN, apiKey, "an-expired-token-of-old"])
    expect(told).not.toContain(secret);
  const faults = report.findings.map(({ fault }) => fault);
  expect(faults).toContain('isError: expected false, got "$SECRET_KEY"');
  const commands = report.findings.map(({ curl }) => curl);
  expect(commands.join("\n")).toContain('-H "Authorization: Bearer $TOKEN"');
  expect(commands.join("\n")).toContain(String.raw`--data-raw "{\"secretID\":\"$SECRET_ID\"`);
  expect(report.findings.map(({ requirement }) => requirement)).toContain("secrets.kept");
});

test("a token under another name is not shown either", async () => {
  const expires = "2026-11-20T00:00:00Z";
  const body = JSON.stringify({ accessToken: TOKEN, type: "Bearer", expires });
  const service = createService(() => ({ body }));
  const report = await checkService({ ...service, credentials });
  expect(report.verdict).toBe("drift");
  expect(JSON.stringify(report)).not.toContain(TOKEN);
});

test.each(["2031-05-28T10:00:00.000Z", "2031-05-28T10:00:00.999Z"])(
  "a token that expires at %s by a Date of an hour before is good for an hour",
  async (expires) => {
    const service = createService((asked) => {
      if (asked.url.pathname !== "/Token") return nothing(asked);
      const headers = { Date: new Date("2031-05-28T09:00:00Z").toUTCString() };
      return { headers, body: JSON.stringify({ access_token: TOKEN, type: "Bearer", expires }) };
    });
    const { profile } = await checkService({ ...service, credentials });
    expect(profile.tokenLifeS).toBe(3600);
  },
);

test("a target without credentials is a mistake of the program", async () => {
  await expect(checkService({ baseUrl: "http://127.0.0.1:1" })).rejects.toThrow(TypeError);
});

test("plain http to another machine is a finding, to this one it is none", async () => {
  const service = createService(nothing);
  const isFound = async (baseUrl: string) => {
    const { findings } = await checkService(
      {
        baseUrl,
        credentials,
        fetch: service.fetch,
      },
      { maxRequests: 3 },
    );
    return findings.some(({ requirement }) => requirement === "base.https");
  };
  expect(await isFound("http://archive.example")).toBe(true);
  expect(await isFound("https://archive.example")).toBe(false);
  expect(await isFound("http://localhost:1")).toBe(false);
  expect(await isFound("http://archive.localhost")).toBe(false);
});

test("a fault of the service is found whatever is asked for, and is the same", async () => {
  const { fetch } = createService(nothing);
  const target = { baseUrl: "http://archive.example", credentials, fetch };
  const run = async (only: readonly OperationId[]) => {
    const { findings, kept } = await checkService(target, { against: "decisions", only });
    const isOfService = ({ requirement }: { readonly requirement: string }) =>
      ["base.https", "refused.path"].includes(requirement);
    const found = findings.filter(isOfService);
    return {
      prints: found.map(({ requirement, fingerprint }) => [requirement, fingerprint]),
      isElsewhere: found.some(({ operation }) => only.every((id) => id !== operation)),
      kept: kept.filter(isOfService),
    };
  };
  const whole = await run(routes.map(({ operationId }) => operationId));
  expect(whole).toMatchObject({ isElsewhere: false, kept: [] });
  expect(whole.prints.map(([requirement]) => requirement)).toEqual(["base.https", "refused.path"]);
  for (const only of [
    ["listUsers"],
    ["searchMetadata"],
    ["createToken", "getChatByCallId"],
  ] as const)
    expect(await run(only)).toEqual(whole);
});

test("each caller's token has a name of its own", async () => {
  const restricted = { secretID: "id-of-another", secretKey: "a-secret-of-another" };
  const other = `${TOKEN}-of-another`;
  const service = createService(async (asked) => {
    const answer = await nothing(asked);
    const isOther = asked.body.includes(restricted.secretID);
    return isOther ? { body: (answer.body ?? "").replace(TOKEN, other) } : answer;
  });
  const exchanges: Exchange[] = [];
  await checkService(
    { ...service, credentials, restricted },
    { onExchange: (exchange) => exchanges.push(exchange) },
  );
  const senders = new Set(exchanges.map(({ sent }) => sent.headers["Authorization"]));
  expect([...senders]).toEqual(expect.arrayContaining(["Bearer $TOKEN", "Bearer $SECOND_TOKEN"]));
  expect(JSON.stringify(exchanges)).not.toContain(TOKEN);
});

test("with a key alone, nothing is known of tokens for want of credentials", async () => {
  const service = createService(answerNothing);
  const report = await checkService({ ...service, apiKey: "a-key-of-some-length" });
  const reasons = report.skipped.flatMap(({ requirement, why }) =>
    requirement.startsWith("token.") ? [why] : [],
  );
  expect(new Set(reasons)).toEqual(new Set(["no body of createToken was given"]));
});

test("a key that is refused ends a check at once", async () => {
  const service = createService(() => ({ status: 401 }));
  const report = await checkService({ ...service, apiKey: "a-key-of-some-length" });
  expect(report).toMatchObject({
    verdict: "unable",
    requests: 1,
    reason: "the API key was answered 401",
  });
});

test.each<readonly [told: string, headers: Readonly<Record<string, string>>]>([
  ["as bytes", { "Content-Type": "application/octet-stream" }],
  ["under a type of its own", { "Content-Type": "application/vnd.archive" }],
  ["without a type", { "Content-Type": "" }],
])("JSON %s is read all the same, and its secrets are found", async (_told, headers) => {
  const service = createService(async (asked) => {
    const isRight = (await nothing(asked)).body ?? "";
    const isPath = asked.url.pathname.startsWith("/flags/public");
    const body = isPath ? JSON.stringify({ asked: asked.headers.get("Authorization") }) : isRight;
    return isPath ? { status: 404, headers, body } : { headers, body };
  });
  const { findings, reason } = await checkService(
    { ...service, credentials },
    { against: "decisions", isEmptyOk: true },
  );
  // Each of the others succeeds.
  expect(reason).toMatch(
    /^no success was seen of listPublicFlags \([^)]*\)(?:, \w+ \(it had no row\))* at /,
  );
  const found = new Set(findings.map(({ requirement }) => requirement));
  expect(found).not.toContain("answer.json");
  expect([...found]).toEqual(
    expect.arrayContaining(["answer.content-type", "secrets.kept", "error.body"]),
  );
});
