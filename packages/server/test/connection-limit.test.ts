// A full service (D23): the caller that holds most of it gives way, nobody else, and a caller is served who has all of it.
import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { connect as connectTls } from "node:tls";
import { describe, expect, onTestFinished, test } from "vitest";
import { LOOPBACK } from "../src/http/proxy.ts";
import { type ConnectionLimits, listen, type ListenOptions } from "../src/index.ts";
import { makeCertificate } from "./support/certificate.ts";
import { collect, openRaw, parseAnswer } from "./support/raw.ts";
import { ALLOWED_ALL, addMedia, startInMemory, toCall } from "./support/service.ts";

const MAX = 12;
const HALF = "GET /docs HTTP/1.1\r\nHos";
const GET = "GET / HTTP/1.1\r\nHost: x\r\n\r\n";
const GET_LAST = "GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n";

/** A service with room for a few connections, and ways to connect to it from any loopback address. */
async function start(options: Partial<ListenOptions> = {}, isTls = false) {
  let dropped = 0;
  const limits: Partial<ConnectionLimits> = { maxConnections: MAX };
  const listening = await listen((_request, response) => response.end("served"), {
    host: "127.0.0.1",
    port: 0,
    tls: isTls ? await makeCertificate("full") : undefined,
    limits,
    watch: { onUnreadable: () => {}, onDropped: () => (dropped += 1) },
    ...options,
  });
  const { hostname: host, port } = new URL(listening.baseUrl);
  const sockets: Socket[] = [];
  const open = (localAddress: string) => {
    const to = { host, port: Number(port), localAddress };
    const raw = collect(isTls ? connectTls({ ...to, rejectUnauthorized: false }) : connect(to));
    sockets.push(raw.socket);
    return raw;
  };
  onTestFinished(async () => {
    for (const socket of sockets) socket.destroy();
    await listening.close();
  });
  const hold = async (localAddress: string, text: string) => {
    const raw = open(localAddress);
    await once(raw.socket, isTls ? "secureConnect" : "connect");
    raw.socket.write(text);
    if (text === GET) await once(raw.socket, "data");
    return raw;
  };
  const ask = (localAddress: string) => {
    const { socket, received } = open(localAddress);
    socket.write(GET_LAST);
    return received.then((text) => parseAnswer(text).status);
  };
  return { hold, ask, countDropped: () => dropped };
}

/** One after the other, as the service sees them. */
async function times<T>(count: number, make: () => Promise<T>): Promise<T[]> {
  const made: T[] = [];
  while (made.length < count) made.push(await make());
  return made;
}

describe.each([
  ["plain HTTP", false],
  ["TLS", true],
] as const)("over %s", (_name, isTls) => {
  test("an address with heads that never end keeps no other address out", async () => {
    const { hold, ask, countDropped } = await start({}, isTls);
    await times(MAX + 3, () => hold("127.0.0.1", HALF));
    const other = await hold("127.0.0.3", GET);

    const statuses = await times(20, () => ask("127.0.0.2"));

    expect(statuses).toEqual(statuses.map(() => 200));
    expect(countDropped()).toBeGreaterThan(3);
    expect(other.socket.closed).toBe(false);
  });

  test("a caller that has all connections gets another: the one idle longest is closed", async () => {
    const { hold, ask } = await start({}, isTls);
    const [oldest, ...others] = await times(MAX, () => hold("127.0.0.1", GET));
    others[0]?.socket.write(GET);
    expect(await ask("127.0.0.1")).toBe(200);
    expect(parseAnswer((await oldest?.received) ?? "").status).toBe(200);
    expect(others.map(({ socket }) => socket.closed)).not.toContain(true);
  });
});

test("behind a proxy connections have no address to judge: the one idle longest is closed", async () => {
  const { hold, ask } = await start({ isBehindProxy: true });
  const oldest = await hold("127.0.0.3", GET);
  const others = await times(MAX - 1, () => hold("127.0.0.1", GET));
  expect(await ask("127.0.0.2")).toBe(200);
  await oldest.received;
  expect(others.map(({ socket }) => socket.closed)).not.toContain(true);
});

const MAX_ANSWERS = 6;

// More than the buffers of both sockets hold.
const SOUND_BYTES = 24_000_000;

/** A service with room for a few answers, two callers, and ways to hold an answer without ever taking it. */
async function startService(maxAnswers: number) {
  const limits = { maxConnections: 2 * maxAnswers };
  const service = await startInMemory({
    maxAnswers,
    proxies: LOOPBACK,
    listen: { limits, isBehindProxy: true },
  });
  onTestFinished(() => service[Symbol.asyncDispose]());
  const [greedy, other] = [await service.addUser(ALLOWED_ALL), await service.addUser(ALLOWED_ALL)];
  const sound = await addMedia(service.store, "a.wav", Buffer.alloc(SOUND_BYTES, 7));
  await service.add(toCall({ call_id: "long", datetime: "2026-01-05T10:00:00Z" }, [sound]));
  const open = (text: string) => {
    const raw = openRaw(service.baseUrl);
    onTestFinished(() => void raw.socket.destroy());
    raw.socket.write(text);
    return raw;
  };
  const stall = async (key: string) => {
    const path = "/recording/stream-by-call-id/long";
    const raw = open(`GET ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\n\r\n`);
    await once(raw.socket, "data");
    raw.socket.pause();
    return raw;
  };
  const ask = (key: string) => service.get("/metadata/by-call-id/long", key);
  const countCut = () => service.accounts.filter(({ gaveWay }) => gaveWay).length;
  return { service, open, stall, ask, countCut, greedy: greedy.key, other: other.key };
}

describe("when all answers that may be in flight are", () => {
  test("the credential with most of them gives way to others, its longest stalled first", async () => {
    const { stall, ask, greedy, other, countCut } = await startService(MAX_ANSWERS);
    const own = await stall(other);
    const [oldest, ...later] = await times(MAX_ANSWERS - 1, () => stall(greedy));

    const statuses = await times(10, async () => (await ask(other)).status);

    expect(statuses).toEqual(statuses.map(() => 200));
    oldest?.socket.resume();
    expect(((await oldest?.received) ?? "").length).toBeLessThan(SOUND_BYTES);
    await expect.poll(countCut).toBe(1);
    expect([own, ...later].map(({ socket }) => socket.closed)).not.toContain(true);
  });

  test("a credential that has all of them is answered as soon as one of its own has stalled", async () => {
    const { stall, ask, greedy, countCut } = await startService(MAX_ANSWERS);
    await times(MAX_ANSWERS, () => stall(greedy));
    await expect.poll(async () => (await ask(greedy)).status).toBe(200);
    await expect.poll(countCut).toBe(1);
  });

  test("a caller than whom nobody has more gets 503 and the time to retry", async () => {
    const { stall, ask, greedy, other, countCut } = await startService(1);
    await stall(greedy);
    const answer = await ask(other);
    expect([answer.status, answer.headers.get("retry-after")]).toEqual([503, "5"]);
    expect(await answer.json()).toEqual({
      isError: true,
      errorMessage: "The service is full; try again in 5 seconds",
      data: [],
    });
    expect(countCut()).toBe(0);
  });

  test("a request without a credential is judged by the address that the proxy names", async () => {
    const { open, service } = await startService(MAX_ANSWERS);
    const from = (address: string) =>
      `Host: x\r\nX-Forwarded-For: ${address}\r\nX-Forwarded-Proto: https\r\n`;
    const json = "Content-Type: application/json\r\nContent-Length: 99\r\n\r\n{";
    const slow = await times(MAX_ANSWERS, async () =>
      open(`POST /Token HTTP/1.1\r\n${from("192.0.2.1")}${json}`),
    );
    const docs = async () => {
      const last = `${from("192.0.2.2")}Connection: close\r\n\r\n`;
      return parseAnswer(await open(`GET /openapi.json HTTP/1.1\r\n${last}`).received).status;
    };
    const isFull = async () => {
      expect(await docs()).toBe(200);
      return service.accounts.some(({ gaveWay }) => gaveWay);
    };
    await expect.poll(isFull).toBe(true);
    expect(await docs()).toBe(200);
    expect(slow.filter(({ socket }) => socket.closed)).toHaveLength(1);
  });
});
