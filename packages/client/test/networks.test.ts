// Networks of companies: `fetch` of undici, with which programs use proxies, client certificates and their own authority.
import { createServer } from "node:https";
import { createServer as createProxyServer } from "node:http";
import { once } from "node:events";
import { type AddressInfo, connect } from "node:net";
import type { Duplex } from "node:stream";

import { generate } from "selfsigned";
import { Agent, fetch as undiciFetch, ProxyAgent, type Dispatcher } from "undici";
import { expect, onTestFinished, test } from "vitest";

import { ConnectionError, createClient } from "../src/index.ts";
import { failureOf } from "./service.ts";

/** A service behind TLS that knows callers by their certificate. */
async function openTls() {
  const { private: key, cert } = await generate([{ name: "commonName", value: "127.0.0.1" }], {
    extensions: [{ name: "subjectAltName", altNames: [{ type: 7, ip: "127.0.0.1" }] }],
  });
  const callers: string[] = [];
  const options = { key, cert, ca: cert, requestCert: true, rejectUnauthorized: false };
  const server = createServer(options, (asked, response) => {
    callers.push(Object(asked.socket).authorized ? "known" : "unknown");
    response.setHeader("Content-Type", "application/json");
    response.end(JSON.stringify({ isError: false, errorMessage: null, data: [] }));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const baseUrl = `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { baseUrl, key, cert, callers };
}

function connectBy(baseUrl: string, dispatcher: Dispatcher) {
  onTestFinished(() => dispatcher.close());
  return createClient({
    baseUrl,
    apiKey: "key-1",
    maxRetries: 0,
    fetch: (url, init) => undiciFetch(url, { ...init, dispatcher }),
  });
}

test("a certificate of an unknown authority is a ConnectionError that says so", async () => {
  const { baseUrl } = await openTls();
  const client = createClient({ baseUrl, apiKey: "key-1", maxRetries: 0 });
  const error = await failureOf(client.GET("/flags/public"));
  expect(error).toBeInstanceOf(ConnectionError);
  expect(String(error)).toMatch(/self-signed certificate.*NODE_EXTRA_CA_CERTS/);
});

test("an own authority and a client certificate go by undici", async () => {
  const { baseUrl, key, cert, callers } = await openTls();
  const client = connectBy(baseUrl, new Agent({ connect: { ca: cert, key, cert } }));
  const { data } = await client.GET("/flags/public");
  expect(data.data).toEqual([]);
  expect(callers).toEqual(["known"]);
});

test("a proxy goes by undici, and one that refuses is a reason that the error has", async () => {
  const { baseUrl, cert } = await openTls();
  const tunnels: string[] = [];
  const proxy = createProxyServer();
  proxy.on("connect", ({ url = "", headers }, socket: Duplex) => {
    tunnels.push(url);
    if (headers["proxy-authorization"] === undefined)
      return socket.end("HTTP/1.1 407 Proxy Authentication Required\r\n\r\n");
    const upstream = connect(Number(url.split(":")[1]), "127.0.0.1", () => {
      socket.write("HTTP/1.1 200 Connection Established\r\n\r\n");
      upstream.pipe(socket).pipe(upstream);
    });
    socket.on("error", () => upstream.destroy());
    return upstream.on("error", () => socket.destroy());
  });
  proxy.listen(0, "127.0.0.1");
  await once(proxy, "listening");
  onTestFinished(() => void proxy.close());
  const uri = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
  const settings = { uri, requestTls: { ca: cert } };
  const client = connectBy(baseUrl, new ProxyAgent({ ...settings, token: "Basic dTpw" }));
  expect((await client.GET("/flags/public")).response.status).toBe(200);
  const error = await failureOf(connectBy(baseUrl, new ProxyAgent(settings)).GET("/flags/public"));
  expect(error).toBeInstanceOf(ConnectionError);
  expect(String(error)).toMatch(/proxy|407/i);
  expect(tunnels).toHaveLength(2);
});
