// How the server sends the console: with a policy of its own, and to browsers that ask for nothing in particular.
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Demo, openDemo } from "./support/demo.ts";

let demo: Demo;
beforeAll(async () => {
  demo = await openDemo();
});
afterAll(() => demo[Symbol.asyncDispose]());

const ask = (path: string, accept = "*/*") =>
  fetch(demo.baseUrl + path, { redirect: "manual", headers: { Accept: accept } });

test("the base URL leads browsers to the console and programs to the documentation", async () => {
  const browser = await ask("/", "text/html,application/xhtml+xml,*/*;q=0.8");
  expect([browser.status, browser.headers.get("Location")]).toEqual([308, "console/"]);
  const program = await ask("/");
  expect([program.status, program.headers.get("Location")]).toEqual([308, "docs/"]);
  const folder = await ask("/console");
  expect([folder.status, folder.headers.get("Location")]).toEqual([308, "console/"]);
});

test("the page may run its own scripts alone, may be framed by nobody, and asks nobody else", async () => {
  const { headers } = await ask("/console/");
  const policy = headers.get("Content-Security-Policy")?.split("; ");
  expect(policy).toEqual([
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data:",
    "connect-src 'self'",
    "media-src 'self' blob:",
    "worker-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types call-media",
  ]);
  expect(headers.get("Cross-Origin-Opener-Policy")).toBe("same-origin");
  expect(headers.get("Referrer-Policy")).toBe("no-referrer");
  expect(headers.get("X-Content-Type-Options")).toBe("nosniff");
});

test("every file of it has its type", async () => {
  const html = await (await ask("/console/")).text();
  const files = [...html.matchAll(/(?:src|href)="\.\/([^"]+)"/g)].map(([, file]) => file ?? "");
  expect(files.length).toBeGreaterThan(1);
  const types = await Promise.all(
    [...files, "config.json", "sound.js"].map(async (file) => {
      const { status, headers } = await ask(`/console/${file}`);
      return `${status} ${headers.get("Content-Type")?.split(";")[0]} ${file.split(".").pop()}`;
    }),
  );
  expect(new Set(types)).toEqual(
    new Set(["200 text/javascript js", "200 text/css css", "200 application/json json"]),
  );
});
