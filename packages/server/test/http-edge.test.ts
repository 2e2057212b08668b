// What comes in as bytes: every shape of request line, target, header and framing has its answer, all in the envelope.
import { setTimeout as delay } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Edge, expectRefused, H, HTTP, startEdge } from "./support/edge.ts";
import { openRaw, parseAnswer, sendRaw } from "./support/raw.ts";
import { addMedia, toCall } from "./support/service.ts";

let edge: Edge;

beforeAll(async () => {
  edge = await startEdge();
});
afterAll(() => edge[Symbol.asyncDispose]());

const expectRefusal = (text: string, status: number, message: string) =>
  expectRefused(edge.send(text), status, message);

describe("a text that is not a request", () => {
  const unreadable = "This is not an HTTP request";
  test.each([
    "hello\r\n\r\n",
    `GET /docs${HTTP}${H}bad header\r\n\r\n`,
    `GET /docs${HTTP}${H} folded: x\r\n\r\n`,
    `GET /docs${HTTP}${H}X: \x01\r\n\r\n`,
    "GET /docs HTTP/1.1\nHost: x\n\n",
    `GET /docs HTTP/3.0\r\n${H}\r\n`,
    "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
    `GET docs${HTTP}${H}\r\n`,
    `GET /a b${HTTP}${H}\r\n`,
    `GET /\0${HTTP}${H}\r\n`,
    `GET /chat/by-call-id/\xe9${HTTP}${H}\r\n`,
  ])("%j is 400", async (text) => {
    await expectRefusal(text, 400, unreadable);
  });

  test("HTTP/0.9 is 400", async () => {
    await expectRefusal("GET /docs\r\n\r\n", 400, "The request must be HTTP/1.0 or HTTP/1.1");
  });
});

describe("a message whose end two readers could see in two places", () => {
  const post = `POST /Token${HTTP}${H}Content-Type: application/json\r\n`;
  test.each([
    `${post}Content-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
    `${post}Transfer-Encoding: chunked\r\nContent-Length: 3\r\n\r\n0\r\n\r\n`,
    `${post}Content-Length: 2\r\nContent-Length: 3\r\n\r\n{}`,
    `${post}Content-Length: 2, 2\r\n\r\n{}`,
    `${post}Content-Length: +2\r\n\r\n{}`,
    `${post}Transfer-Encoding : chunked\r\n\r\n0\r\n\r\n`,
    `${post}Transfer-Encoding: identity\r\n\r\n{}`,
    `${post}Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n`,
    `${post}Transfer-Encoding: chunked, chunked\r\n\r\n0\r\n\r\n`,
    `${post}Transfer-Encoding: chunked\r\n\r\nzz\r\n\r\n`,
    `${post}Transfer-Encoding: chunked\r\n\r\n2\n{}\r\n0\r\n\r\n`,
  ])("%j is 400, and the connection is closed", async (text) => {
    const { headers } = await expectRefusal(text, 400, "This is not an HTTP request");
    expect(headers["connection"]).toBe("close");
  });

  test.each([
    [
      `${post}Transfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n`,
      "Transfer-Encoding must be chunked",
    ],
    [
      `POST /Token HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
      "Transfer-Encoding is not known in HTTP/1.0",
    ],
  ])("%j is 400", async (text, message) => {
    const { headers } = await expectRefusal(text, 400, message);
    expect(headers["connection"]).toBe("close");
  });

  test("nothing behind a refused message is read as a request", async () => {
    const smuggled = `GET /openapi.json${HTTP}${H}\r\n`;
    const text = `POST /Token${HTTP}Host: x\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n${smuggled}`;
    const received = await sendRaw(edge.service.baseUrl, text);
    expect(received.match(/HTTP\/1\.1 \d+/g)).toEqual(["HTTP/1.1 400"]);
  });

  test("a body in chunks is read", async () => {
    const search = "/metadata/search?pageIndex=0&startDate=2026-01-01&endDate=2026-01-31";
    const head = `POST ${search}${HTTP}${H}Authorization: Bearer ${edge.key}\r\nContent-Type: application/json\r\n`;
    const { status, body } = await edge.send(
      `${head}Transfer-Encoding: chunked\r\n\r\n8\r\n{"call_i\r\n7;x=y\r\nd":"x"}\r\n0\r\nTrailer: z\r\n\r\n`,
    );
    expect(status).toBe(200);
    expect(JSON.parse(body).data).toHaveLength(1);
  });
});

describe("headers", () => {
  test.each([
    [`GET /docs${HTTP}Connection: close\r\n\r\n`, "Host is required"],
    [`GET /docs${HTTP}${H}Host: y\r\n\r\n`, "Host must be given once"],
    [
      `GET /docs${HTTP}Host: a b\r\nConnection: close\r\n\r\n`,
      "Host must be a host name or an address",
    ],
    [
      `GET /docs${HTTP}Host: a/b\r\nConnection: close\r\n\r\n`,
      "Host must be a host name or an address",
    ],
    [
      `GET /flags/public${HTTP}${H}Authorization: Bearer a\r\nauthorization: Bearer b\r\n\r\n`,
      "authorization must be given once",
    ],
    [
      `POST /Token${HTTP}${H}Content-Type: application/json\r\nContent-Type: text/plain\r\n\r\n`,
      "Content-Type must be given once",
    ],
  ])("%j is 400", async (text, message) => {
    await expectRefusal(text, 400, message);
  });

  test.each(["x:8080", "[::1]:8080", "", "%41.example"])("Host %j is served", async (host) => {
    const text = `OPTIONS *${HTTP}Host: ${host}\r\nConnection: close\r\n\r\n`;
    expect((await edge.send(text)).status).toBe(204);
  });

  test("too large or too many are 431, a target that is too long is 414", async () => {
    const large = "The headers are too many, or larger than 32768 bytes";
    await expectRefusal(`GET /docs${HTTP}${H}X: ${"x".repeat(33_000)}\r\n\r\n`, 431, large);
    await expectRefusal(`GET /docs${HTTP}${H}${"x: y\r\n".repeat(101)}\r\n`, 431, large);
    const long = "The address of the request is longer than 16384 bytes";
    await expectRefusal(`GET /${"x".repeat(16_384)}${HTTP}${H}\r\n`, 414, long);
    await expectRefusal(`GET /${"x".repeat(40_000)}${HTTP}${H}\r\n`, 414, long);
    await expectRefusal(`GET /docs?${"x".repeat(400_000)}${HTTP}${H}\r\n`, 414, long);
  });

  test("a query that names a parameter thousands of times is read, and refused where it is asked for", async () => {
    const bearer = `Authorization: Bearer ${edge.key}\r\n`;
    const send = (target: string) => edge.send(`GET ${target}${HTTP}${H}${bearer}\r\n`);
    const asked = `/flags/private?${"user_id=1&".repeat(1_600)}`;
    await expectRefused(send(asked), 400, "user_id must be given once");
    expect((await send(`/flags/public?${"a&".repeat(8_100)}`)).status).toBe(200);
  });

  test("within the limits are read", async () => {
    const many = "x: y\r\n".repeat(97);
    expect((await edge.send(`OPTIONS /Token${HTTP}${H}${many}\r\n`)).status).toBe(204);
    expect(
      (await edge.send(`OPTIONS /Token${HTTP}${H}X: ${"x".repeat(32_000)}\r\n\r\n`)).status,
    ).toBe(204);
    expect((await edge.send(`OPTIONS /Token?${"x".repeat(16_300)}${HTTP}${H}\r\n`)).status).toBe(
      204,
    );
  });

  test("an expectation nobody knows is ignored, 100-continue is answered", async () => {
    const text = (awaited: string) => `OPTIONS /Token${HTTP}${H}Expect: ${awaited}\r\n\r\n`;
    expect((await edge.send(text("the unexpected"))).status).toBe(204);
    const received = await sendRaw(
      edge.service.baseUrl,
      `POST /Token${HTTP}${H}Expect: 100-continue\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{}`,
    );
    expect(received).toMatch(/^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 400 /);
  });

  test("asking for another protocol is not heard", async () => {
    const upgrade = "Connection: upgrade, close\r\nUpgrade: websocket\r\n";
    expect((await edge.send(`GET /openapi.json${HTTP}Host: x\r\n${upgrade}\r\n`)).status).toBe(200);
  });
});

describe("a target", () => {
  test("may name the service, as to a proxy", async () => {
    for (const origin of ["http://elsewhere.example", "HTTPS://x:1"])
      expect((await edge.send(`GET ${origin}/openapi.json${HTTP}${H}\r\n`)).status).toBe(200);
    expect((await edge.send(`GET http://x${HTTP}${H}\r\n`)).status).toBe(308);
    await expectRefusal(
      `GET http://x/none${HTTP}${H}\r\n`,
      404,
      "There is no such path; /docs lists those there are",
    );
    const bearer = `Authorization: Bearer ${edge.key}\r\n`;
    const query = `http://x/users/basic-info?status=none`;
    const message = "status must be one of active, inactive, deleted, all";
    await expectRefusal(`GET ${query}${HTTP}${H}${bearer}\r\n`, 400, message);
  });

  test("of HTTP/1.0 needs no host", async () => {
    expect((await edge.send("GET /openapi.json HTTP/1.0\r\n\r\n")).status).toBe(200);
  });

  test("with a fragment, which belongs to the client only, is unknown", async () => {
    expect((await edge.send(`GET /docs#x${HTTP}${H}\r\n`)).status).toBe(404);
  });
});

test.each([
  [["HEAD /nowhere", `${HTTP}${H}bad header\r\n\r\n`], 400],
  [["HE", "AD /nowhere", `${HTTP}${H}bad`, " header\r\n\r\n"], 400],
  [[`HEAD /${"x".repeat(20_000)}`, "x".repeat(20_000), `${HTTP}${H}\r\n`], 431],
  [[`HEAD /nowhere${HTTP}${H}A: ${"x".repeat(20_000)}`, "x".repeat(20_000), "\r\n\r\n"], 431],
])(
  "of a broken request in several packets the last alone is known: %.20j",
  async (packets, status) => {
    const { socket, received } = openRaw(edge.service.baseUrl);
    socket.setNoDelay(true);
    for (const packet of packets) {
      socket.write(packet, "latin1");
      // Should the machine be so busy that two are read at once, this shows nothing, and passes.
      await delay(50);
    }
    // So a HEAD gets a body, behind which the connection ends, and a target that is too long counts as headers that are.
    const answer = parseAnswer(await received);
    expect([answer.status, answer.headers["connection"]]).toEqual([status, "close"]);
    expect(JSON.parse(answer.body).isError).toBe(true);
  },
);

test("bytes after a request do not get into its response", async () => {
  const long = await addMedia(edge.service.store, "long.wav", Buffer.alloc(3_000_000, "z"));
  await edge.service.add(toCall({ call_id: "long", datetime: "2026-01-06T10:00:00Z" }, [long]));
  const target = `GET /recording/stream-by-call-id/long${HTTP}Host: x\r\nAuthorization: Bearer ${edge.key}\r\n\r\n`;
  const answer = parseAnswer(await sendRaw(edge.service.baseUrl, `${target}no request\r\n\r\n`));
  expect([answer.status, answer.body.length, answer.body.replaceAll("z", "")]).toEqual([
    200,
    3_000_000,
    "",
  ]);
});

test("nothing of this was a failure of the service", () => {
  expect(edge.service.failures).toEqual([]);
});
