// The log of a running service: a line for each request, with its identifier but none of its content or of the response.
import { readdir, rename } from "node:fs/promises";
import { join } from "node:path";
import { pino } from "pino";
import { expect, onTestFinished, test, vi } from "vitest";
import { toFault } from "../src/observe/log-fault.ts";
import { toText } from "../src/observe/log-text.ts";
import { openLogWitness } from "../src/observe/log-witness.ts";
import { MARK } from "../../service/test/support/access-rows.ts";
import { type LogLine, type Serving, startServing } from "./support/program.ts";
import {
  addMedia,
  ALLOWED_ALL,
  createApplication,
  startInMemory,
  startTestService,
  toCall,
} from "./support/service.ts";

// Stands in every place that a caller or a record can fill.
const CANARY = "canary7f3a";

const requestsOf = (log: readonly LogLine[]) =>
  log.filter(({ msg }) => String(msg).startsWith("request"));

async function startFilled(args: readonly string[]) {
  const archive = await startTestService();
  const { user, key } = await archive.addUser({
    ...ALLOWED_ALL,
    username: `user ${CANARY}`,
    email_id: `${CANARY}@example.com`,
  });
  const sound = await addMedia(archive.store, `${CANARY}.wav`, Buffer.from(`RIFF ${CANARY}`));
  await archive.add(
    toCall(
      {
        call_id: `id-${CANARY}`,
        ref_id: `ref-${CANARY}`,
        datetime: "2026-01-05T10:00:00Z",
        agent: `agent ${CANARY}`,
        notes: `notes ${CANARY}`,
      },
      [sound],
    ),
  );
  const application = await createApplication(archive.store, user.id);
  const program = await startServing(archive.directory, args);
  return { archive, user, key, application, program };
}

/** Good and bad requests with the canary, and the credentials, wherever they can be put. */
async function askEverything(
  { baseUrl }: Serving,
  { key, application }: { key: string; application: { secretID: string; secretKey: string } },
): Promise<Response[]> {
  const authorization = { Authorization: `Bearer ${key}` };
  const get = (path: string, headers: Record<string, string> = authorization) =>
    fetch(`${baseUrl}${path}`, { headers: { "User-Agent": CANARY, Cookie: CANARY, ...headers } });
  const post = (path: string, body: unknown, headers: Record<string, string> = authorization) =>
    fetch(`${baseUrl}${path}`, {
      method: "POST",
      headers: { "Content-Type": "application/json", Referer: `http://${CANARY}/`, ...headers },
      body: typeof body === "string" ? body : JSON.stringify(body),
    });
  const dates = "pageIndex=0&startDate=2026-01-01&endDate=2026-01-31";
  return [
    await get(`/metadata/by-call-id/id-${CANARY}`),
    await get(`/metadata/by-reference/ref-${CANARY}`),
    await get(`/recording/by-call-id/id-${CANARY}`),
    await get(`/recording/stream-by-call-id/id-${CANARY}`),
    await get(`/recording/stream-by-call-id/id-${CANARY}`, {
      ...authorization,
      Range: "bytes=900-",
    }),
    await get(`/chat/by-call-id/${CANARY}`),
    await post(`/metadata/search?${dates}`, { agent: `agent ${CANARY}` }),
    await post(`/metadata/search?${dates}&${CANARY}=${CANARY}`, { [CANARY]: CANARY }),
    await post(`/metadata/search?${dates}`, `{"agent": ${CANARY}`),
    await get("/users/basic-info?status=all"),
    await get(`/${CANARY}?${CANARY}=${CANARY}`),
    await get("/users/address-info?user_id=1", { Authorization: `Bearer ${CANARY}` }),
    await get("/users/address-info?user_id=1", { Authorization: `Basic ${CANARY}` }),
    await get("/users/address-info?user_id=1", { traceparent: CANARY, "X-Request-Id": CANARY }),
    await post("/Token", application, {}),
    await post("/Token", { secretID: "app_unknown", secretKey: CANARY }, {}),
    await post("/Token", { ...application, secretKey: CANARY }, {}),
    await post(`/metadata/search?${dates}&words=${CANARY}`, {}),
    await post(`/metadata/by-custom-fields?${dates}&words=%22${CANARY}`, {}),
  ];
}

test("has the identifier and the outcome of each request", async () => {
  const { archive, program, ...credentials } = await startFilled([]);
  await using _ = archive;
  const answers = await askEverything(program, credentials);
  const sizes = await Promise.all(
    answers.map(async (answer) => (await answer.arrayBuffer()).byteLength),
  );
  expect(await program.stop()).toBe(0);
  expect(answers.map(({ status }) => status).join(" ")).toBe(
    "200 200 200 200 416 200 200 400 400 200 404 401 401 401 200 401 401 200 400",
  );
  // A line comes when the last byte of its answer has gone, which of a stream may be after the next answer.
  const written = new Map(requestsOf(program.log()).map((line) => [line["requestId"], line]));
  const lines = answers.map(({ headers }) => written.get(headers.get("X-Request-Id")) ?? {});
  expect(written.size).toBe(answers.length);
  expect(lines.map(({ status, bytes }) => [status, bytes])).toEqual(
    answers.map(({ status }, index) => [status, sizes[index]]),
  );
  expect(lines[0]).toEqual({
    level: "info",
    time: expect.stringMatching(/^20\d\d-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    msg: "request",
    requestId: expect.any(String),
    method: "GET",
    operation: "getMetadataByCallId",
    status: 200,
    bytes: sizes[0],
    ms: expect.any(Number),
    address: "127.0.0.1",
    userId: credentials.user.id,
  });
  expect(lines.map(({ code }) => code ?? null)).toEqual(
    answers.map(({ headers }) => headers.get("X-Error-Code")),
  );
  const tried = lines.map(({ secretID }) => secretID);
  expect(tried.filter((id) => id !== undefined)).toEqual([
    "app_unknown",
    credentials.application.secretID,
  ]);
  expect(new Set(lines.flatMap((line) => Object.keys(line)))).toEqual(
    new Set([...Object.keys(lines[0] ?? {}), "secretID", "code"]),
  );
});

test("neither the log nor the metrics hold a secret, an identifier, a header, a query, a body or a record", async () => {
  const args = ["--log-level", "debug", "--metrics-port", "0"];
  const { archive, program, ...credentials } = await startFilled(args);
  await using _ = archive;
  const answers = await askEverything(program, credentials);
  const token = await tokenOf(answers);
  const metrics = await (await fetch(program.metricsUrl)).text();
  await damageRecordings(archive.directory);
  const damaged = await fetch(`${program.baseUrl}/recording/by-call-id/id-${CANARY}`, {
    headers: { Authorization: `Bearer ${credentials.key}` },
  });
  expect(damaged.status).toBe(503);
  expect(await program.stop()).toBe(0);
  const { stdout, stderr } = program.output();
  expect(requestsOf(program.log())).toHaveLength(answers.length + 1);
  const { key, application } = credentials;
  for (const secret of [CANARY, key, token, application.secretKey])
    for (const text of [stdout, stderr, metrics]) expect(text).not.toContain(secret);
});

async function tokenOf(answers: readonly Response[]): Promise<string> {
  for (const answer of answers) {
    const body = await answer.text();
    if (body.includes("access_token")) return String(JSON.parse(body).access_token);
  }
  throw new Error("no answer has a token");
}

async function damageRecordings(directory: string): Promise<void> {
  await rename(join(directory, "media"), join(directory, "lost"));
}

test("a damaged recording is named for the operator, with the request that found it", async () => {
  const { archive, program, key } = await startFilled([]);
  await using _ = archive;
  const files = await readdir(join(archive.directory, "media"), { recursive: true });
  const sha256 = files
    .map((file) => file.split("/").at(-1) ?? "")
    .find((name) => /^[\da-f]{64}/.test(name));
  await damageRecordings(archive.directory);
  const answer = await fetch(`${program.baseUrl}/recording/stream-by-call-id/id-${CANARY}`, {
    headers: { Authorization: `Bearer ${key}` },
  });
  expect(answer.status).toBe(503);
  expect(await program.stop()).toBe(0);
  expect(requestsOf(program.log())).toMatchObject([
    {
      level: "error",
      msg: "request failed",
      requestId: answer.headers.get("X-Request-Id"),
      status: 503,
      err: { type: "StoreFault", message: expect.stringContaining(String(sha256)) },
    },
  ]);
});

test.each([
  ["debug", ["started", "request", "request", "stopping", "stopped"]],
  ["info", ["started", "request", "stopping", "stopped"]],
  ["warn", []],
  ["silent", []],
])("level %s decides whether the log has health probes and requests", async (level, told) => {
  await using archive = await startTestService();
  await using program = await startServing(archive.directory, ["--log-level", level]);
  await fetch(`${program.baseUrl}/healthz`);
  await fetch(`${program.baseUrl}/flags/public`);
  expect(await program.stop()).toBe(0);
  expect(program.log().map(({ msg }) => msg)).toEqual(told);
});

test("text is a line for a person", async () => {
  await using archive = await startTestService();
  const { key } = await archive.addUser(ALLOWED_ALL);
  await using program = await startServing(archive.directory, ["--log-format", "text"]);
  const answer = await fetch(`${program.baseUrl}/flags/public`, {
    headers: { Authorization: `Bearer ${key}` },
  });
  await program.stop();
  const [started, request, stopping, stopped] = program.output().stderr.split("\n");
  expect(started).toMatch(
    /^\d\d:\d\d:\d\dZ started {2}url http:\S+ {2}node v\S+ {2}pid \d+ {2}accessLogRow 1 {2}accessLogHash [\da-f]{64}$/,
  );
  expect(request).toMatch(
    /^\d\d:\d\d:\d\dZ 200 {2}GET {2}listPublicFlags {2}\d+ bytes {2}[\d.]+ ms {2}127\.0\.0\.1 {2}user 1 {2}\S+$/,
  );
  expect(request).toContain(answer.headers.get("X-Request-Id"));
  expect([stopping, stopped]).toMatchObject(
    [
      /Z stopping {2}signal SIGTERM {2}underWay 0$/,
      /Z stopped {2}accessLogRow 2 {2}accessLogHash [\da-f]{64}$/,
    ].map((pattern): unknown => expect.stringMatching(pattern)),
  );
});

test("the newest row of the access log is logged every five minutes, unless it is still the same", async () => {
  await using archive = await startTestService();
  const { accessLog } = archive.store;
  const lines: LogLine[] = [];
  const events = pino({ base: null }, { write: (line) => void lines.push(JSON.parse(line)) });
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval", "performance"] });
  onTestFinished(() => void vi.useRealTimers());
  const witness = openLogWitness(accessLog, events);
  for (const row of [1, 2]) {
    await accessLog.append({ ...MARK, timeMs: row }, true);
    for (let span = 1; span <= 2; span += 1) {
      vi.advanceTimersByTime(5 * 60_000);
      await vi.waitFor(() => expect(lines).toHaveLength(row));
      await witness.note(); // what was asked for before has been answered
    }
    const { lastHash: accessLogHash } = await accessLog.verify();
    expect(lines.at(-1)).toMatchObject({ msg: "access log", accessLogRow: row, accessLogHash });
  }
  witness.close();
});

test("text has the code of an error", () => {
  const fields = { method: "GET", status: 401, bytes: 75, ms: 1, address: "::1", requestId: "r" };
  const line = { time: "2026-01-05T10:00:00.000Z", level: "info", msg: "request", ...fields };
  expect(toText({ ...line, code: "CM_TOKEN_MISSING" })).toBe(
    "10:00:00Z 401  GET  (no operation)  75 bytes  1.0 ms  ::1  CM_TOKEN_MISSING  r\n",
  );
});

test("nothing in text can move the cursor of a terminal, or turn what follows around", () => {
  const err = {
    type: "Error\u001b[2J",
    message: "a\nb\u009b1A",
    at: ["file\u0007"],
    cause: { type: "C\r" },
  };
  const text = toText({
    time: "2026-01-05T10:00:00.000Z",
    level: "error",
    msg: "m\u001b",
    err,
    x: "\u0085\u202e",
  });
  expect(text).toBe(
    "10:00:00Z error: m\\u001b  x \\u0085\\u202e\n" +
      "    Error\\u001b[2J: a\\u000ab\\u009b1A\n      at file\\u0007\n    C\\u000d\n",
  );
});

test("no message has a secret of this service, nor has its cause", async () => {
  await using service = await startInMemory();
  const { key: apiKey } = await service.addUser({});
  const fault = toFault(new Error(`with ${apiKey}`, { cause: new Error(`${apiKey}: no`) }));
  expect(fault).toMatchObject({
    message: "with (withheld: a secret)",
    cause: { message: "(withheld: a secret): no" },
  });
});

test("a message that quotes what could not be parsed is left out, and causes come along", () => {
  const parse = (text: string): unknown => JSON.parse(text);
  let thrown: unknown;
  try {
    parse(`{"notes": ${CANARY}`);
  } catch (error) {
    thrown = new Error("outer", { cause: error });
  }
  const fault = toFault(thrown);
  expect(fault).toMatchObject({ type: "Error", message: "outer", cause: { type: "SyntaxError" } });
  expect(fault.cause?.at?.[0]).toMatch(/JSON\.parse/);
  expect(JSON.stringify(fault)).not.toContain(CANARY);
});
