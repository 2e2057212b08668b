// Methods: which a path answers, and HEAD as GET without its body.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { routes } from "@call-media/api";
import { type Edge, expectRefused, H, HTTP, startEdge } from "./support/edge.ts";
import { parseAnswer, sendRaw } from "./support/raw.ts";

let edge: Edge;

beforeAll(async () => {
  edge = await startEdge();
});
afterAll(() => edge[Symbol.asyncDispose]());

const expectRefusal = (text: string, status: number, message: string) =>
  expectRefused(edge.send(text), status, message);

describe("a method", () => {
  const allowed = "POST, GET, HEAD, OPTIONS";
  const ofPage = "GET, HEAD, OPTIONS";
  test.each([
    ["FOO /docs", ofPage],
    ["get /docs", ofPage],
    ["FOO /flags/public?a=/Token", ofPage],
    ["FOO http://x/flags/public", ofPage],
    ["FOO /Token", "POST, OPTIONS"],
    ["FOO *", allowed],
    ["CONNECT x:443", allowed],
  ])("that node:http does not know is 405 where the path is known: %s", async (line, methods) => {
    const { headers } = await expectRefusal(
      `${line}${HTTP}${H}\r\n`,
      405,
      `This path answers ${methods}`,
    );
    expect(headers["allow"]).toBe(methods);
  });

  test("that node:http does not know is 404 where the path is unknown", async () => {
    const unknown = "There is no such path; /docs lists those there are";
    await expectRefusal(`FOO /nowhere${HTTP}${H}\r\n`, 404, unknown);
    await expectRefusal(`FOO /flags/public/${HTTP}${H}\r\n`, 404, unknown);
  });

  test.each(["TRACE", "QUERY", "PROPFIND", "PUT"])("%s is 405 on every path", async (method) => {
    for (const { path } of routes) {
      const { status, headers } = await edge.send(`${method} ${toTarget(path)}${HTTP}${H}\r\n`);
      expect([path, status]).toEqual([path, 405]);
      expect(headers["allow"]).toMatch(/^(GET, HEAD|POST), OPTIONS$/);
    }
    expect((await edge.send(`${method} /nowhere${HTTP}${H}\r\n`)).status).toBe(404);
  });

  test("OPTIONS lists the methods of a path for every caller", async () => {
    for (const { path, method } of routes) {
      const { status, headers, body } = await edge.send(`OPTIONS ${toTarget(path)}${HTTP}${H}\r\n`);
      expect([status, body]).toEqual([204, ""]);
      expect(headers["allow"]).toBe(method === "GET" ? "GET, HEAD, OPTIONS" : "POST, OPTIONS");
    }
    expect((await edge.send(`OPTIONS /docs${HTTP}${H}\r\n`)).headers["allow"]).toBe(
      "GET, HEAD, OPTIONS",
    );
    expect((await edge.send(`OPTIONS *${HTTP}${H}\r\n`)).headers["allow"]).toBe(allowed);
    const unknown = "There is no such path; /docs lists those there are";
    await expectRefusal(`OPTIONS /nowhere${HTTP}${H}\r\n`, 404, unknown);
    await expectRefusal(`GET *${HTTP}${H}\r\n`, 404, unknown);
  });

  test("HEAD is GET without the body, on every path and for every outcome", async () => {
    const paths = routes.filter(({ method }) => method === "GET").map(({ path }) => toTarget(path));
    const query = "?status=all&user_id=1";
    const asked = [
      ...paths.map((path) => path + query),
      ...paths,
      "/docs",
      "/openapi.json",
      "/nowhere",
    ];
    for (const path of asked)
      for (const bearer of [`Authorization: Bearer ${edge.key}\r\n`, ""]) {
        const get = await edge.send(`GET ${path}${HTTP}${H}${bearer}\r\n`);
        const head = await edge.send(`HEAD ${path}${HTTP}${H}${bearer}\r\n`);
        expect([path, head.status]).toEqual([path, get.status]);
        const { "x-request-id": _ofGet, date: _getDate, ...ofGet } = get.headers;
        const { "x-request-id": _ofHead, date: _headDate, ...ofHead } = head.headers;
        expect(ofHead).toEqual(ofGet);
        expect(head.body).toBe("");
      }
  });

  test.each([
    [`HEAD /\x80${HTTP}${H}\r\n`, 400],
    [`HEAD /nowhere${HTTP}${H}bad header\r\n\r\n`, 400],
    [`HEAD /nowhere${HTTP}Host: x\r\n\r\nHEAD /\x80${HTTP}${H}\r\n`, 404],
    [`HEAD /${"x".repeat(40_000)}${HTTP}${H}\r\n`, 414],
  ])("a HEAD that cannot be read has no body either: %.20j", async (text, status) => {
    const answers = (await sendRaw(edge.service.baseUrl, text))
      .split(/(?=HTTP\/1\.1 )/)
      .map(parseAnswer);
    expect(answers[0]?.status).toBe(status);
    expect(answers.map(({ body }) => body)).toEqual(answers.map(() => ""));
  });
});

test("nothing of this was a failure of the service", () => {
  expect(edge.service.failures).toEqual([]);
});

const toTarget = (path: string) => path.replace(/\{\w+\}/, "x");
