// Pages of other origins in a browser: none may read an answer, but those of the origins that the operator listed.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { routes } from "@call-media/api";
import { createListener } from "../src/index.ts";
import { ALLOWED_ALL, startInMemory, type Served } from "./support/service.ts";

const APP = "https://app.example.com";
const LOCAL = "http://localhost:5173";

let service: Served;
let key: string;

beforeAll(async () => {
  service = await startInMemory({ corsOrigins: [APP, LOCAL] });
  ({ key } = await service.addUser(ALLOWED_ALL));
});
afterAll(() => service[Symbol.asyncDispose]());

const corsOf = ({ headers }: Response) =>
  Object.fromEntries([...headers].filter(([name]) => /^access-control-|^vary$/.test(name)));

const preflight = (baseUrl: string, path: string, origin: string) =>
  fetch(baseUrl + path, {
    method: "OPTIONS",
    headers: {
      Origin: origin,
      "Access-Control-Request-Method": "GET",
      "Access-Control-Request-Headers": "authorization,range",
    },
  });

const split = (list: string | null) => (list ?? "").toLowerCase().split(", ");

describe("without listed origins", () => {
  test("no page may read anything, and nothing is said of origins", async () => {
    await using closed = await startInMemory();
    const { key: other } = await closed.addUser(ALLOWED_ALL);
    expect(corsOf(await closed.get("/flags/public", other, { Origin: APP }))).toEqual({});
    expect(corsOf(await preflight(closed.baseUrl, "/flags/public", APP))).toEqual({});
  });
});

describe("a listed origin", () => {
  test.each([APP, LOCAL])("%s may read answers and errors", async (origin) => {
    const ask = (path: string) => service.get(path, key, { Origin: origin });
    const answers = [await ask("/flags/public"), await ask("/users/basic-info"), await ask("/x")];
    expect(answers.map(({ status }) => status)).toEqual([200, 400, 404]);
    for (const { headers } of answers) {
      expect(headers.get("access-control-allow-origin")).toBe(origin);
      expect(headers.get("access-control-allow-credentials")).toBeNull();
      expect(headers.get("vary")).toBe("Origin");
    }
  });

  test("may read the document, whose answer depends on the coding as well", async () => {
    const { headers } = await service.get("/openapi.json", key, { Origin: APP });
    expect(headers.get("access-control-allow-origin")).toBe(APP);
    expect(headers.get("vary")).toBe("Origin, Accept-Encoding");
  });

  test("may read every header that the contract documents", async () => {
    const { headers } = await service.get("/flags/public", key, { Origin: APP });
    const exposed = split(headers.get("access-control-expose-headers"));
    for (const { operationId, responses } of routes)
      for (const documented of Object.values(responses).flatMap((one) =>
        Object.keys(one.headers ?? {}),
      ))
        expect(exposed, operationId).toContain(documented.toLowerCase());
    expect(exposed).toEqual(
      expect.arrayContaining(["x-request-id", "link", "content-disposition"]),
    );
  });

  test("may ask everything that the contract takes", async () => {
    for (const { path, method, parameters } of routes) {
      const response = await preflight(service.baseUrl, path.replace(/\{\w+\}/, "x"), APP);
      expect([path, response.status]).toEqual([path, 204]);
      const { headers } = response;
      expect(headers.get("access-control-allow-origin")).toBe(APP);
      expect(split(headers.get("access-control-allow-methods"))).toContain(method.toLowerCase());
      const allowed = split(headers.get("access-control-allow-headers"));
      const taken = parameters.filter((parameter) => parameter.in === "header");
      expect(allowed).toEqual(
        expect.arrayContaining([
          "authorization",
          "content-type",
          ...taken.map(({ name }) => name.toLowerCase()),
        ]),
      );
      expect(headers.get("access-control-allow-credentials")).toBeNull();
      expect(headers.get("access-control-max-age")).toBe("600");
    }
  });
});

describe("any other origin", () => {
  test.each([
    "https://app.example.com:8443",
    "http://app.example.com",
    "https://app.example.com.evil.example",
    "https://sub.app.example.com",
    "HTTPS://APP.EXAMPLE.COM",
    "null",
    "https://app.example.com, https://evil.example",
  ])("%s may read nothing, and Vary names the header for caches", async (origin) => {
    const answer = await service.get("/flags/public", key, { Origin: origin });
    expect(corsOf(answer)).toEqual({ vary: "Origin" });
    expect(corsOf(await preflight(service.baseUrl, "/flags/public", origin))).toEqual({
      vary: "Origin",
    });
  });

  test("and none at all get the same", async () => {
    expect(corsOf(await service.get("/flags/public", key))).toEqual({ vary: "Origin" });
  });
});

test.each([
  "*",
  "null",
  "app.example.com",
  "https://app.example.com/",
  "https://app.example.com/x",
  "",
])("%j is not an origin, and no service starts with it", (origin) => {
  expect(() => createListener({ store: service.store, corsOrigins: [origin] })).toThrow(
    `${origin} is not an origin like https://app.example.com`,
  );
});
