// A service that cannot be reached: why, and what to do about it.
import { createServer, type RequestListener } from "node:http";
import { createFakeService } from "@call-media/testing";
import { serveFake } from "@call-media/testing/http";
import { expect, onTestFinished, test } from "vitest";
import { createConnection } from "../src/access/connect.ts";
import { toFailure } from "../src/failures/failure.ts";
import { run } from "./support/program.ts";
import { findClosedPort, listen, listFlags, nothing } from "./support/unreachable.ts";

test("nobody listens there: says so, and to look at address and network", async () => {
  const { code, stderr } = await listFlags(`http://127.0.0.1:${await findClosedPort()}`);
  expect(code).toBe(1);
  expect(stderr).toMatch(/\(connect ECONNREFUSED .*\): check the address and the network\n$/);
});

test("https to a service that speaks http: asks whether it does", async () => {
  await using served = await serveFake(createFakeService({}));
  const { code, stderr } = await listFlags(served.baseUrl.replace("http:", "https:"));
  expect(code).toBe(1);
  expect(stderr).toMatch(/ \(the server does not speak TLS\): is it http: and not https:\?\n$/);
});

test("check over https of a service that speaks http: asks the same, in the report too", async () => {
  await using served = await serveFake(createFakeService({}));
  const baseUrl = served.baseUrl.replace("http:", "https:");
  const said = `GET ${baseUrl}/flags/public: the server does not speak TLS: is it http: and not https:?`;
  const { code, stdout, stderr } = await run(["check", "--format", "json"], {
    CALL_MEDIA_BASE_URL: baseUrl,
    CALL_MEDIA_API_KEY: "a-key",
  });
  expect(code).toBe(2);
  expect(stderr).toBe(`call-media: ${said}\n`);
  expect(JSON.parse(stdout)).toMatchObject({ verdict: "unable", reason: said });
});

test("probe over https of a service that speaks http asks the same", async () => {
  await using served = await serveFake(createFakeService({}));
  const { code, stderr } = await run(["probe"], {
    CALL_MEDIA_BASE_URL: served.baseUrl.replace("http:", "https:"),
    CALL_MEDIA_API_KEY: "a-key",
  });
  expect(code).toBe(2);
  expect(stderr).toMatch(/: the server does not speak TLS: is it http: and not https:\?\n$/);
});

test("an address of something else is not taken for a call without a recording", async () => {
  const server = createServer(nothing);
  const variables = {
    CALL_MEDIA_BASE_URL: `http://127.0.0.1:${await listen(server)}`,
    CALL_MEDIA_SECRET_ID: "id",
    CALL_MEDIA_SECRET_KEY: "key",
  };
  const { code, stderr } = await run(["recording", "1"], variables);
  expect({ code, stderr }).toEqual({
    code: 1,
    stderr: expect.stringContaining("(404 of createToken): is --base-url the address of"),
  });
  server.close();
});

test.each<[string, RequestListener, number, RegExp]>([
  [
    "that does not end",
    (_, response) => {
      response.writeHead(200, { "Content-Type": "application/json" });
      const timer = setInterval(() => response.write(" "), 20);
      response.on("close", () => clearInterval(timer));
    },
    // Its head has to come in that time, on a busy machine as well.
    2_000,
    /^GET \/flags\/public: no complete answer came within 2 s: the service is slow/,
  ],
  [
    "that does not begin",
    () => {},
    300,
    /^GET \/flags\/public: nothing came for 0\.3 s: the service is/,
  ],
])("the message describes a response %s", async (_, listener, tryTimeoutMs, words) => {
  const server = createServer(listener);
  const baseUrl = `http://127.0.0.1:${await listen(server)}`;
  onTestFinished(() => server.close().closeAllConnections());
  const { client } = createConnection(
    { target: { baseUrl, apiKey: "a-key" } },
    { maxRetries: 1, tryTimeoutMs },
  );
  const failed: unknown = await client.GET("/flags/public").catch((error: unknown) => error);
  expect(toFailure(failed).shown).toMatch(words);
});
