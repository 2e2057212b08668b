// A service that cannot be reached: why, and what to do about it.
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer, type RequestListener } from "node:http";
import { createServer as createSecureServer } from "node:https";
import type { AddressInfo, Server } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createFakeService } from "@call-media/testing";
import { serveFake } from "@call-media/testing/http";
import { generate } from "selfsigned";
import { expect, onTestFinished, test } from "vitest";
import { createConnection } from "../src/access/connect.ts";
import { toFailure } from "../src/failures/failure.ts";
import { run } from "./support/program.ts";

const listFlags = (baseUrl: string, variables: NodeJS.ProcessEnv = {}) =>
  run(["flags"], { CALL_MEDIA_BASE_URL: baseUrl, CALL_MEDIA_API_KEY: "a-key", ...variables });

const nothing: RequestListener = (_, response) => void response.writeHead(404).end();

async function listen(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return (server.address() as AddressInfo).port; // it listens on TCP
}

async function findClosedPort(): Promise<number> {
  const server = createServer(nothing);
  const port = await listen(server);
  await new Promise((resolve) => server.close(resolve));
  return port;
}

test("nobody listens there: says so, and to look at address and network", async () => {
  const { code, stderr } = await listFlags(`http://127.0.0.1:${await findClosedPort()}`);
  expect(code).toBe(1);
  expect(stderr).toMatch(/\(connect ECONNREFUSED .*\): check the address and the network\n$/);
});

test("a proxy that Node.js does not go by: says how it does, but not on this machine", async () => {
  const variables = { HTTPS_PROXY: "http://127.0.0.1:1", NODE_USE_ENV_PROXY: undefined };
  const { code, stderr } = await listFlags("https://archive.invalid", variables);
  expect(code).toBe(1);
  expect(stderr).toMatch(
    /archive\.invalid\): if only a proxy reaches it, set NODE_USE_ENV_PROXY=1 /,
  );
  const near = await listFlags(`https://127.0.0.1:${await findClosedPort()}`, variables);
  expect(near.stderr).toContain("check the address and the network");
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

test("a certificate of an authority of one's own: names the variable, and with it the service is reached", async () => {
  const { private: key, cert } = await generate([{ name: "commonName", value: "own" }], {
    keyType: "ec",
    extensions: [{ name: "subjectAltName", altNames: [{ type: 7, ip: "127.0.0.1" }] }],
  });
  const server = createSecureServer({ key, cert }, nothing);
  const baseUrl = `https://127.0.0.1:${await listen(server)}`;
  const folder = await mkdtemp(join(tmpdir(), "call-media-unreachable-"));
  const file = join(folder, "ca.pem");
  await writeFile(file, cert);
  const refused = await listFlags(baseUrl);
  expect(refused.stderr).toMatch(
    /\(self-signed certificate\): for your own certificate authority, set NODE_EXTRA_CA_CERTS to the file of its certificate\n$/,
  );
  const reached = await listFlags(baseUrl, { NODE_EXTRA_CA_CERTS: file });
  expect(reached.stderr).toContain(
    "(404 of listPublicFlags): is --base-url the address of a Call Media Retrieval Service?",
  );
  await rm(folder, { recursive: true });
  server.close();
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
])("an answer %s is told as that", async (_, listener, tryTimeoutMs, words) => {
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
