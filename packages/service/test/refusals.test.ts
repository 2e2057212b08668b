// Everything bad that can come in gets its status and a sentence that names the field and the fault (D06-D08, D11-D14).
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { routes } from "@call-media/api";
import { ALLOWED_ALL, startTestService, type TestService } from "./support/service.ts";

let service: TestService;
let key: string;

beforeAll(async () => {
  service = await startTestService();
  ({ key } = await service.addUser(ALLOWED_ALL));
});
afterAll(() => service[Symbol.asyncDispose]());

const SEARCH = "/metadata/search?pageIndex=0&startDate=2026-01-01&endDate=2026-01-31";
const CUSTOM = SEARCH.replace("search", "by-custom-fields");

async function expectRefusal(response: Response, status: number, message: string) {
  const body = await response.json();
  expect(body).toEqual({ isError: true, errorMessage: message, data: [] });
  expect(response.status).toBe(status);
  expect(response.headers.get("x-request-id")).toMatch(/^[\da-f-]{36}$/);
  expect(response.headers.get("cache-control")).toBe("no-store");
  expect(response.headers.get("content-type")).toBe("application/json; charset=utf-8");
}

describe("a query", () => {
  const page = "pageIndex must be an integer from 0 to 2147483647";
  const day = (name: string) => `${name} must be a calendar day written YYYY-MM-DD`;
  test.each([
    ["", "pageIndex is required"],
    ["pageIndex=0", "startDate is required"],
    ["pageIndex=0&startDate=2026-01-01", "endDate is required"],
    ["pageIndex=-1&startDate=2026-01-01&endDate=2026-01-01", page],
    ["pageIndex=1.5&startDate=2026-01-01&endDate=2026-01-01", page],
    ["pageIndex=1e3&startDate=2026-01-01&endDate=2026-01-01", page],
    ["pageIndex=&startDate=2026-01-01&endDate=2026-01-01", page],
    ["pageIndex=%201&startDate=2026-01-01&endDate=2026-01-01", page],
    ["pageIndex=2147483648&startDate=2026-01-01&endDate=2026-01-01", page],
    ["pageIndex=99999999999999999999&startDate=2026-01-01&endDate=2026-01-01", page],
    [
      "pageIndex=0&pageIndex=1&startDate=2026-01-01&endDate=2026-01-01",
      "pageIndex must be given once",
    ],
    ["pageIndex=0&startDate=2026-02-30&endDate=2026-03-01", day("startDate")],
    ["pageIndex=0&startDate=2026-1-1&endDate=2026-03-01", day("startDate")],
    ["pageIndex=0&startDate=01/02/2026&endDate=2026-03-01", day("startDate")],
    ["pageIndex=0&startDate=2026-01-01&endDate=2026-01-01T00:00:00Z", day("endDate")],
    ["pageIndex=0&startDate=2026-01-01&endDate=2025-02-29", day("endDate")],
    ["pageIndex=0&startDate=2026-01-02&endDate=2026-01-01", "startDate must not be after endDate"],
  ])("%s", async (query, message) => {
    await expectRefusal(
      await service.post(`/metadata/search?${query}`, key, { agent: "a" }),
      400,
      message,
    );
  });

  test.each([
    ["/users/basic-info", "status is required"],
    ["/users/basic-info?status=Active", "status must be one of active, inactive, deleted, all"],
    ["/users/address-info", "user_id is required"],
    ["/users/security-info?user_id=abc", "user_id must be an integer"],
    ["/users/security-info?user_id=1.0", "user_id must be an integer"],
    ["/flags/private?user_id=", "user_id must be an integer"],
    ["/flags/private?user_id=99999999999999999", "user_id must be an integer"],
    ["/recording/by-call-id/x?part=0", "part must be an integer from 1 to 10000"],
    ["/recording/stream-by-reference/x?part=two", "part must be an integer from 1 to 10000"],
  ])("%s", async (path, message) => {
    await expectRefusal(await service.get(path, key), 400, message);
  });
});

describe("a body", () => {
  test.each<[string, string, number, string]>([
    [SEARCH, "{}", 400, "The body must name at least one filter field"],
    [SEARCH, "[]", 400, "The body must be a JSON object"],
    [SEARCH, "null", 400, "The body must be a JSON object"],
    [SEARCH, "", 400, "The body must be a JSON object"],
    [SEARCH, "{", 400, "The body is not JSON in UTF-8"],
    [SEARCH, '{"colour":"red"}', 400, "colour is not a known field"],
    [SEARCH, '{"ani":"5550100"}', 400, "ani is not a known field"],
    [SEARCH, '{"custom_field_1":"x"}', 400, "custom_field_1 is not a known field"],
    [SEARCH, '{"__proto__":"x"}', 400, "__proto__ is not a known field"],
    [SEARCH, '{"constructor":"x"}', 400, "constructor is not a known field"],
    [SEARCH, '{"agent":5}', 400, "agent must be a string"],
    [SEARCH, '{"agent":null}', 400, "agent must be a string"],
    [SEARCH, '{"agent":["a"]}', 400, "agent must be a string"],
    [SEARCH, '{"talk_time":"17"}', 400, "talk_time must be an integer"],
    [SEARCH, '{"talk_time":1.5}', 400, "talk_time must be an integer"],
    [CUSTOM, '{"custom_field_1":true}', 400, "custom_field_1 must be a string"],
    [CUSTOM, '{"custom_field_21":"x"}', 400, "custom_field_21 is not a known field"],
    [CUSTOM, '{"agent":"a"}', 400, "agent is not a known field"],
    ["/Token", "{}", 400, "secretID is required"],
    ["/Token", '{"secretID":"x"}', 400, "secretKey is required"],
    ["/Token", '{"secretID":"x","secretKey":7}', 400, "secretKey must be a string"],
    [SEARCH, `{"agent":"${"a".repeat(70_000)}"}`, 413, "The body is larger than 65536 bytes"],
  ])("%s %s", async (path, body, status, message) => {
    await expectRefusal(await service.post(path, key, body), status, message);
  });

  test.each([
    [{ "Content-Type": "text/plain" }, "Content-Type must be application/json"],
    [{ "Content-Type": "application/jsonp" }, "Content-Type must be application/json"],
    [
      { "Content-Type": "application/json; charset=latin1" },
      "Content-Type must have no charset but utf-8",
    ],
    [
      { "Content-Type": "application/json; odata=verbose; charset=utf-16" },
      "Content-Type must have no charset but utf-8",
    ],
    [
      { "Content-Type": "application/json;\tcharset=utf-16" },
      "Content-Type must have no charset but utf-8",
    ],
    [
      { "Content-Type": "application/json ; charset=utf-16" },
      "Content-Type must have no charset but utf-8",
    ],
    [{ "Content-Encoding": "gzip" }, "Content-Encoding must be absent"],
  ])("with %j is not understood", async (headers, message) => {
    await expectRefusal(await service.post(SEARCH, key, { agent: "a" }, headers), 415, message);
  });

  test("that is not UTF-8 is refused, one with a charset is read", async () => {
    const latin1 = new Uint8Array(Buffer.from('{"agent":"Zoë"}', "latin1"));
    await expectRefusal(
      await service.post(SEARCH, key, latin1),
      400,
      "The body is not JSON in UTF-8",
    );
    const response = await service.post(
      SEARCH,
      key,
      { agent: "Zoë" },
      { "Content-Type": 'application/json;charset="UTF-8"' },
    );
    expect(response.status).toBe(200);
  });

  test("with a media type whose parameters have no meaning for JSON is read", async () => {
    for (const type of [
      "application/json; odata=verbose;charset=utf-8; v=1",
      "application/json\t;\tcharset=utf-8\t; v=1",
    ]) {
      const headers = { "Content-Type": type };
      expect((await service.post(SEARCH, key, { agent: "a" }, headers)).status).toBe(200);
    }
  });
});

describe("a path", () => {
  test.each([
    "/metadata",
    "/metadata/by-call-id",
    "/metadata/by-call-id/",
    "/metadata/by-call-id/a/b",
    "/token",
    "/Token/",
    "/chat/by-call-id/../x",
    "//Token",
    "/%00",
  ])("%s is unknown", async (path) => {
    expect((await service.send(path)).status).toBe(404);
  });

  test("with an identifier that cannot be decoded is 400, one that is too long as well", async () => {
    await expectRefusal(
      await service.get("/chat/by-call-id/%E0%A4", key),
      400,
      "The path has a malformed percent-encoding",
    );
    await expectRefusal(
      await service.get(`/chat/by-call-id/${"x".repeat(1025)}`, key),
      400,
      "call_id must have at most 1024 characters",
    );
  });

  test.each([
    "/metadata/by-reference/%00",
    "/metadata/by-call-id/a%2Fb",
    "/metadata/by-call-id/%F0%9F%93%9E",
  ])("%s is an identifier like any other", async (path) => {
    expect(await (await service.get(path, key)).json()).toMatchObject({ isError: false, data: [] });
  });

  test("is judged without decoding: encoded dots are an identifier, not a parent folder", async () => {
    expect((await service.send("/chat/by-call-id/%2e%2e")).status).toBe(401);
  });

  test("answers other methods 405, saying which it has", async () => {
    for (const { path, method } of routes) {
      const target = path.replace(/\{\w+\}/, "x");
      const response = await service.send(target, { method: "DELETE" });
      const allowed = method === "GET" ? "GET, HEAD, OPTIONS" : `${method}, OPTIONS`;
      expect(response.headers.get("allow"), path).toBe(allowed);
      await expectRefusal(response, 405, `This path answers ${allowed}`);
    }
  });
});

describe("an Accept header", () => {
  test("that allows no JSON is 406", async () => {
    const message = "The Accept header allows none of the forms this answer has";
    await expectRefusal(
      await service.get("/flags/public", key, { Accept: "text/html" }),
      406,
      message,
    );
    await expectRefusal(
      await service.get("/flags/public", key, { Accept: "application/json;q=0" }),
      406,
      message,
    );
  });

  test.each(["*/*", "application/*", "text/html, application/json;q=0.1", ""])(
    "%j is served",
    async (accept) => {
      expect((await service.get("/flags/public", key, { Accept: accept })).status).toBe(200);
    },
  );
});

describe("an Authorization header", () => {
  test.each([
    ["Basic dXNlcjpwYXNz", "The access token is malformed"],
    ["Bearer", "The access token is malformed"],
    ["Bearer a b", "The access token is malformed"],
    ["Bearer ünknown", "The access token is malformed"],
    ["Bearer nobody-has-this", "The access token is unknown"],
  ])("%s is 401", async (authorization, message) => {
    const headers = { Authorization: Buffer.from(authorization).toString("latin1") };
    const response = await service.send("/flags/public", { headers });
    expect(response.headers.get("www-authenticate")).toBe(
      `Bearer error="invalid_token", error_description="${message}"`,
    );
    await expectRefusal(response, 401, message);
  });

  test("that is missing is 401 on every operation except POST /Token, with only the scheme", async () => {
    for (const { method, path, needsCredentials } of routes.filter(
      (route) => route.needsCredentials,
    )) {
      expect(needsCredentials).toBe(true);
      const response = await service.send(path.replace(/\{\w+\}/, "x"), { method });
      expect(response.headers.get("www-authenticate"), path).toBe("Bearer");
      await expectRefusal(response, 401, "The Authorization header is missing");
    }
  });

  test("is read in any letter case of the scheme", async () => {
    const headers = { Authorization: `bEARER ${key}` };
    const response = await service.send("/flags/public", { headers });
    expect(response.status).toBe(200);
  });
});

test("nothing of this was a failure of the service", () => {
  expect(service.failures).toEqual([]);
});
