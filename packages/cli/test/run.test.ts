// A run that is stopped: at once, where the service never answers, and with nothing of its progress left on a terminal.
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";
import { readVersion } from "../src/version.ts";
import { start } from "./support/program.ts";

const KEY = { CALL_MEDIA_API_KEY: "an-api-key-for-tests" };

let asked: (request: IncomingMessage) => void;
const silent = createServer((request) => asked(request));
let baseUrl: string;

beforeAll(async () => {
  await new Promise<void>((resolve) => silent.listen(0, "127.0.0.1", resolve));
  baseUrl = `http://127.0.0.1:${(silent.address() as AddressInfo).port}`; // it listens on a port
});
afterAll(() => {
  silent.closeAllConnections();
  silent.close();
});

test.each([["check"], ["search", "--from", "2026-03-01", "--to", "2026-03-31"]])(
  "Ctrl-C ends %s at once, with 130 and a reason",
  async (...args) => {
    const isAsked = new Promise<unknown>((resolve) => (asked = resolve));
    const begunMs = performance.now();
    const { child, ended } = start([...args, "--base-url", baseUrl], KEY);
    await isAsked;
    const stoppedMs = performance.now();
    child.kill("SIGINT");
    const { code, stderr } = await ended;
    expect(code).toBe(130);
    expect(stderr).toMatch(/^call-media: .*stopped.*\n$/);
    // Waiting for the answer would take ten seconds and more. A machine may be so busy that its end takes long, but no longer
    // than its beginning.
    const lastedMs = performance.now() - stoppedMs;
    expect(lastedMs).toBeLessThan(Math.max(3000, stoppedMs - begunMs));
  },
);

test("a request names the program and its version", async () => {
  const request = new Promise<IncomingMessage>((resolve) => (asked = resolve));
  const { child, ended } = start(["whoami", "--base-url", baseUrl], KEY);
  const { headers } = await request;
  child.kill("SIGINT");
  await ended;
  expect(headers["user-agent"]).toBe(`call-media/${readVersion()} call-media-client`);
});
