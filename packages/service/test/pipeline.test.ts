// A request through the service in process: its steps, its answer, what is logged, and with which code each step refuses.
import { beforeEach, expect, test } from "vitest";
import { type ErrorCode, ERRORS, isStreamed, type ServiceRequest } from "../src/index.ts";
import {
  bearer,
  createWorld,
  readAll,
  readJson,
  readLog,
  SOUND,
  toRequest,
  type World,
} from "./support/world.ts";

let world: World;
beforeEach(async () => {
  world = await createWorld();
});

const ask = (path: string, parts: Partial<ServiceRequest> = {}) =>
  world.service.answer(toRequest(path, { headers: bearer(world.key), ...parts }));

const STREAM = "/recording/stream-by-call-id/c1";

test("a look-up is answered in the envelope, with its row in the access log", async () => {
  const answer = await ask("/metadata/by-call-id/c1");
  expect(answer).toMatchObject({
    status: 200,
    headers: {
      "X-Request-Id": "request-1",
      "Archive-Time-Zone": "UTC",
      "Content-Length": (await readAll(answer)).length,
    },
    facts: { operationId: "getMetadataByCallId", userId: 1, code: undefined, failure: undefined },
  });
  expect(await readJson(answer)).toMatchObject({ data: [{ call_id: "c1", ref_id: "r1" }] });
  expect(await readLog(world.store)).toMatchObject([
    {
      operation: "getMetadataByCallId",
      asked: { call_id: "c1" },
      callIds: ["c1"],
      rows: 1,
      status: 200,
    },
  ]);
});

test("a recording is given piece by piece; the row is there before the first", async () => {
  const answer = await ask(STREAM);
  expect(await readLog(world.store)).toMatchObject([
    { status: 200, recording: { first: 0, last: SOUND.length - 1 } },
  ]);
  expect(await readAll(answer)).toEqual(SOUND);
  expect(await readLog(world.store)).toHaveLength(1);
  expect(await readJson(await ask("/recording/by-call-id/c1"))).toMatchObject({
    data: { success: true, filename: "a.wav", base64: SOUND.toString("base64") },
  });
});

test("a recording that was cut has a second row with what was sent", async () => {
  const { body } = await ask(STREAM);
  if (!isStreamed(body)) throw new Error("no stream");
  await body.close({ bytes: 5, isWhole: false });
  expect((await readLog(world.store))[1]).toMatchObject({
    isCut: true,
    recording: { first: 0, last: 4 },
  });
});

test("HEAD has the head of GET and no body, and releases nothing", async () => {
  const [head, get] = [await ask(STREAM, { method: "HEAD" }), await ask(STREAM)];
  expect(head.body).toBeUndefined();
  expect(head.headers).toEqual(get.headers);
  await readAll(get);
  expect((await readLog(world.store)).map((row) => row.recording !== undefined)).toEqual([
    false,
    true,
  ]);
});

const toPost = (text: string | undefined): Partial<ServiceRequest> => ({
  method: "POST",
  headers: { "content-type": "application/json" },
  readBody: async () => (text === undefined ? undefined : Buffer.from(text)),
});

const refused: readonly [string, string, Partial<ServiceRequest>, ErrorCode][] = [
  ["no such path", "/none", {}, "CM_PATH_UNKNOWN"],
  ["another method", "/flags/public", { method: "DELETE" }, "CM_METHOD_NOT_ALLOWED"],
  ["no credential", "/flags/public", { headers: {} }, "CM_TOKEN_MISSING"],
  ["no bearer", "/flags/public", { headers: { authorization: "Basic x" } }, "CM_TOKEN_MALFORMED"],
  ["an unknown token", "/flags/public", { headers: bearer("x") }, "CM_TOKEN_UNKNOWN"],
  ["a parameter", "/flags/private", { query: "user_id=x" }, "CM_PARAMETER_INVALID"],
  ["an encoding", "/metadata/by-call-id/%", {}, "CM_PARAMETER_INVALID"],
  ["no recording", "/recording/by-call-id/none", {}, "CM_RECORDING_UNKNOWN"],
  ["no JSON", "/Token", toPost("{"), "CM_BODY_NOT_JSON"],
  ["a field", "/Token", toPost("{}"), "CM_BODY_INVALID"],
  ["a long body", "/Token", toPost(undefined), "CM_BODY_TOO_LARGE"],
];

test.each(refused)("%s is refused by its code", async (_what, path, parts, code) => {
  const answer = await ask(path, parts);
  expect(answer.status).toBe(ERRORS[code].status);
  expect(answer.headers).toMatchObject({ "X-Error-Code": code, "X-Request-Id": "request-1" });
  expect(answer.facts.code).toBe(code);
  expect(await readJson(answer)).toMatchObject({ isError: true, data: [] });
});

test("an error has a row once it is known who asks, unless nobody waits for it", async () => {
  await ask("/flags/private", { query: "user_id=x" });
  await ask("/flags/private", { query: "user_id=x", isGone: () => true });
  await ask("/flags/public", { headers: {} });
  expect(await readLog(world.store)).toMatchObject([
    { operation: "listPrivateFlags", asked: {}, status: 400 },
  ]);
});

test("nothing is released while the access log cannot be written", async () => {
  const { service, store } = world;
  const fault = new Error("the disk is full");
  Object.assign(store.accessLog, { append: () => Promise.reject(fault) });
  const answer = await service.answer(toRequest(STREAM, { headers: bearer(world.key) }));
  expect(answer).toMatchObject({ status: 503, facts: { code: "CM_UNAVAILABLE", failure: fault } });
  expect(isStreamed(answer.body)).toBe(false);
});

test("a second mount has its own way to find out who asks, and no sign-in", async () => {
  const caller = await world.service.access.authenticate(`Bearer ${world.key}`);
  const mount = { prefix: "/console/api", isOpen: false, identify: async () => caller };
  const to = (path: string, parts: Partial<ServiceRequest> = {}) =>
    world.service.answer(toRequest(path, parts), mount);
  expect((await to("/console/api/metadata/by-call-id/c1")).status).toBe(200);
  expect((await to("/console/api/Token", { method: "POST" })).facts.code).toBe("CM_PATH_UNKNOWN");
  expect((await to("/console/api/flags/public", { method: "OPTIONS" })).status).toBe(405);
});
