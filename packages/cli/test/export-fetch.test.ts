// How an export sends its requests: what comes is what was sent, whole or an error, and no faster than it is read.
import { randomBytes } from "node:crypto";
import dns from "node:dns";
import { createServer, type RequestListener, type Server } from "node:http";
import { createServer as createTlsServer, type Server as TlsServer } from "node:https";
import type { AddressInfo } from "node:net";
import { brotliCompressSync, deflateSync, gzipSync, zstdCompressSync } from "node:zlib";
import { generate } from "selfsigned";
import { expect, onTestFinished, test, vi } from "vitest";
import { nodeFetch } from "../src/export/throttle/node-fetch.ts";

async function startService(
  listener: RequestListener,
  server: Server | TlsServer = createServer(),
): Promise<string> {
  server.on("request", listener);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => server.close().closeAllConnections());
  const { port } = server.address() as AddressInfo; // a TCP server has no other kind of address
  return `${"setSecureContext" in server ? "https" : "http"}://127.0.0.1:${port}/`;
}

async function createServerWithCertificate(): Promise<TlsServer> {
  const { private: key, cert } = await generate([{ name: "commonName", value: "127.0.0.1" }]);
  vi.stubEnv("NODE_TLS_REJECT_UNAUTHORIZED", "0");
  return createTlsServer({ key, cert });
}

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

test("method, headers and body arrive, and status, headers and body come back", async () => {
  const url = await startService(async (request, response) => {
    let body = "";
    for await (const chunk of request) body += String(chunk);
    const { authorization } = request.headers;
    response.writeHead(404, { "Set-Cookie": ["a=1", "b=2"], "X-Method": request.method ?? "" });
    response.end(JSON.stringify({ authorization, body }));
  });
  const headers = new Headers({ Authorization: "Bearer key" });
  const answer = await nodeFetch(url, { method: "POST", headers, body: '{"a":"ä"}' });
  expect(answer.status).toBe(404);
  expect(answer.headers.getSetCookie()).toEqual(["a=1", "b=2"]);
  expect(answer.headers.get("X-Method")).toBe("POST");
  expect(await answer.json()).toEqual({ authorization: "Bearer key", body: '{"a":"ä"}' });
});

test("an answer without a body has none, and a redirect is not followed", async () => {
  let requests = 0;
  const url = await startService((_, response) => {
    response.writeHead(requests++ === 0 ? 304 : 307, { Location: "/elsewhere" }).end();
  });
  expect((await nodeFetch(url, {})).body).toBeNull();
  const { status, headers } = await nodeFetch(url, { redirect: "manual" });
  expect([status, headers.get("Location")]).toEqual([307, "/elsewhere"]);
  expect(requests).toBe(2);
});

test("a status that is none is an error", async () => {
  const url = await startService((request) => {
    request.socket.end("HTTP/1.1 999 Nothing\r\nContent-Length: 0\r\n\r\n");
  });
  await expect(nodeFetch(url, {})).rejects.toThrow("999 is not a status of HTTP");
});

test("an unknown encoding is left unchanged, even with a name such as constructor", async () => {
  const url = await startService((_, response) => {
    response.writeHead(200, { "Content-Encoding": "constructor" }).end("as it is");
  });
  expect(await (await nodeFetch(url, {})).text()).toBe("as it is");
});

test.each([
  ["GZIP", gzipSync],
  ["x-gzip", gzipSync],
  ["deflate", deflateSync],
  ["br", brotliCompressSync],
  ["zstd", zstdCompressSync],
  ["gzip, br", (bytes: Uint8Array) => brotliCompressSync(gzipSync(bytes))],
  ["identity", (bytes: Uint8Array) => bytes],
])("a body in %s is decoded", async (encoding, pack) => {
  const sent = randomBytes(300_000);
  const url = await startService((_, response) => {
    response.writeHead(200, { "Content-Encoding": encoding }).end(pack(sent));
  });
  const came = new Uint8Array(await (await nodeFetch(url, {})).arrayBuffer());
  expect(sent.equals(came)).toBe(true);
});

test("a known encoding that was not requested is an error", async () => {
  const url = await startService((_, response) => {
    response.writeHead(200, { "Content-Encoding": "gzip, compress" }).end("packed");
  });
  await expect(nodeFetch(url, {})).rejects.toThrow("content-encoding compress was not asked for");
});

test("a compressed body is decoded, and its Content-Encoding stays", async () => {
  const url = await startService((request, response) => {
    expect(request.headers["accept-encoding"]).toContain("gzip");
    response.writeHead(200, { "Content-Encoding": "gzip" }).end(gzipSync("packed ".repeat(1000)));
  });
  const answer = await nodeFetch(url, {});
  expect(answer.headers.get("Content-Encoding")).toBe("gzip");
  expect(await answer.text()).toBe("packed ".repeat(1000));
});

test.each([
  ["bytes", {}],
  ["packed bytes", { "Content-Encoding": "gzip" }],
])("%s that break off are an error, and no end", async (_, headers) => {
  const packed = gzipSync(randomBytes(9000));
  const url = await startService((request, response) => {
    response.writeHead(200, { ...headers, "Content-Length": packed.length });
    response.write(packed.subarray(0, 5000), () => request.socket.destroy());
  });
  await expect(nodeFetch(url, {}).then((answer) => answer.bytes())).rejects.toThrow(
    /aborted|unexpected end/,
  );
});

test("a request that is stopped fails: before its answer, and with all of it waiting to be read", async () => {
  const url = await startService((request, response) => {
    if (request.url === "/whole") response.end(Buffer.alloc(300_000));
  });
  const [early, late] = [new AbortController(), new AbortController()];
  const waiting = nodeFetch(url, { signal: early.signal });
  early.abort(new Error("stopped early"));
  await expect(waiting).rejects.toThrow("stopped early");
  await expect(nodeFetch(url, { signal: early.signal })).rejects.toThrow("stopped early");

  const answer = await nodeFetch(`${url}whole`, { signal: late.signal });
  await pause(100);
  late.abort(new Error("stopped late"));
  await expect(answer.bytes()).rejects.toThrow("stopped late");
});

test.each([
  ["over TCP", createServer],
  ["over TLS", createServerWithCertificate],
])("%s each piece of an answer keeps its bytes while others come", async (_, createOne) => {
  const content = randomBytes(3_000_000);
  const url = await startService((_request, response) => response.end(content), await createOne());
  const answers = await Promise.all([nodeFetch(url, {}), nodeFetch(url, {})]);
  for (const answer of answers) {
    const pieces: Uint8Array[] = [];
    for await (const piece of answer.body ?? []) pieces.push(piece);
    expect(Buffer.concat(pieces).equals(content)).toBe(true);
  }
});

test("much of an answer comes at once where the network has much", async () => {
  const url = await startService((_, response) => response.end(randomBytes(3_000_000)));
  const answer = await nodeFetch(url, {});
  await pause(100);
  const lengths: number[] = [];
  for await (const piece of answer.body ?? []) lengths.push(piece.length);
  // Node.js by itself reads 65,536.
  expect(Math.max(...lengths)).toBeGreaterThan(65_536);
});

test("an answer that nobody reads is not taken into memory", async () => {
  let taken = 0;
  const url = await startService((_, response) => {
    const piece = Buffer.alloc(1_000_000);
    const send = () => {
      if (taken++ < 100) response.write(piece, send);
    };
    send();
  });
  const answer = await nodeFetch(url, {});
  for (let before = -1; before !== taken; await pause(200)) before = taken;
  // What the kernel keeps for both ends is some megabytes.
  expect(taken).toBeLessThan(50);
  await answer.body?.cancel();
});

test("a name below localhost is this machine, and DNS is not asked", async () => {
  const url = await startService((_, response) => response.end("here"));
  const lookup = vi.spyOn(dns, "lookup");
  onTestFinished(() => lookup.mockRestore());
  const answer = await nodeFetch(url.replace("127.0.0.1", "archive.localhost"), {});
  expect(await answer.text()).toBe("here");
  expect(lookup).not.toHaveBeenCalled();
});
