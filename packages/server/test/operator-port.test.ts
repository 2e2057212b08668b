// The port of operators: which names it answers to, because its pages need no credentials.
import { once } from "node:events";
import { type IncomingMessage, request } from "node:http";
import { hostname } from "node:os";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Listening } from "../src/listen.ts";
import { openOperatorPort } from "../src/observe/operator-port.ts";

let port: Listening;
beforeAll(async () => {
  const page = () => ({ status: 200, headers: {}, body: "figures" });
  port = await openOperatorPort({ host: "localhost", port: 0 }, new Map([["/metrics", page]]));
});
afterAll(() => port.close());

async function ask(host: string | undefined) {
  const headers = host === undefined ? [] : ["Host", host];
  // Without Host a request has to be of HTTP/1.0, which node:http does not write; the server does not ask for it.
  const sent = request(`${port.baseUrl}/metrics`, { headers, setHost: false, agent: false }).end();
  const [answer] = (await once(sent, "response")) as [IncomingMessage]; // so the event is documented
  return [answer.statusCode, answer.headers["x-error-code"], await text(answer)];
}

test.each([
  "127.0.0.1:9464",
  "10.1.2.3",
  "[::1]:9464",
  "[fe80::1]",
  "localhost",
  "LOCALHOST.:9464",
  "server-1:9464",
  "call-media.localhost",
  hostname(),
  `${hostname()}:9464`,
  "",
  undefined,
])("answers to %s", async (host) => {
  expect(await ask(host)).toEqual([200, undefined, "figures"]);
});

test.each([
  "evil.example:9464",
  "127.0.0.1.evil.example",
  "localhost.evil.example",
  "evil.example.",
  "127.0.0.1@evil.example",
  "[evil.example]:9464",
  "notlocalhost.example",
  ":9464",
  "a:b:c",
])("answers nothing to %s, the name of a website that leads here", async (host) => {
  const [status, code, body] = await ask(host);
  expect([status, code]).toEqual([421, "CM_HOST_UNKNOWN"]);
  expect(body).toContain("Host is not a name of this machine");
});
