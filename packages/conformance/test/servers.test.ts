// Operations with servers of their own: those on a host of the document's root are asked under their own path.
import { expect, test } from "vitest";
import { findMove, moveBase } from "../src/document/servers.ts";
import {
  type Asked,
  check,
  fields,
  isSignedIn,
  operation,
  type Reply,
  SIGN_IN,
  TEXT,
} from "./styles.ts";

const at = (url: string, variables = {}) => [{ url, variables }];

test.each([
  [
    "a longer path at the root",
    "https://a.test/v1",
    "https://a.test",
    "http://x:1/v1",
    "http://x:1",
  ],
  ["another version", "/v1", "/v2", "http://x:1/v1", "http://x:1/v2"],
  [
    "a slash at the end",
    "https://a.test/v1/",
    "https://a.test/v2/",
    "http://x:1/v1",
    "http://x:1/v2",
  ],
  ["no path at the root", "https://a.test", "https://a.test/v2", "http://x:1", "http://x:1/v2"],
  ["another host", "https://a.test/v1", "https://b.test", "http://x:1/v1", "http://x:1/v1"],
  [
    "a base URL of its own",
    "https://a.test/v1",
    "https://a.test",
    "http://x:1/api",
    "http://x:1/api",
  ],
  ["the same path", "https://a.test/v1", "https://a.test/v1", "http://x:1/v1", "http://x:1/v1"],
])("%s", (_name, root, own, base, moved) => {
  expect(moveBase(base, findMove(at(root), at(own)))).toBe(moved);
});

test("variables have their defaults, and what is no URL moves nothing", () => {
  const root = at("https://{host}/v1", { host: { default: "a.test" } });
  expect(findMove(root, at("https://a.test"))).toEqual({ from: "/v1", to: "" });
  expect(findMove(root, at("https://[/"))).toBe(undefined);
  expect(findMove(undefined, at("/"))).toBe(undefined);
});

test("an operation that is served beside the API is seen at work", async () => {
  const paths = {
    "/things": { get: operation("getThings", { 200: fields({ name: TEXT }, ["name"]) }) },
    "/health": {
      servers: at("https://api.test"),
      get: { ...operation("getHealth", { 200: fields({ state: TEXT }, ["state"]) }), security: [] },
    },
  };
  const reply = (asked: Asked): Reply => {
    const path = asked.steps.join("/");
    if (asked.method !== "GET") return { status: 405, body: {} };
    if (path === "health") return { status: 200, body: { state: "good" } };
    if (!isSignedIn(asked)) return SIGN_IN;
    return path === "v1/things" ? { status: 200, body: { name: "a" } } : { status: 404, body: {} };
  };
  const { verdict, findings, reason } = await check(paths, reply, {
    more: { servers: at("https://api.test/v1") },
    target: { baseUrl: "http://styles.test/v1" },
  });
  expect({ verdict, findings, reason }).toEqual({ verdict: "kept", findings: [] });
});
