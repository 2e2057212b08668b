// nginx as deploy/nginx.conf sets it up, before the service: who asks, how the caller came, and what it passes on.
import { once } from "node:events";
import {
  Agent,
  request as requestPlain,
  type IncomingMessage,
  type RequestOptions,
} from "node:http";
import { request } from "node:https";
import { text } from "node:stream/consumers";
import { setTimeout } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { LOOPBACK } from "../src/http/proxy.ts";
import { hasNginx, type Nginx, startNginx } from "./support/nginx.ts";
import {
  addMedia,
  ALLOWED_ALL,
  startTestService,
  type TestService,
  toCall,
} from "./support/service.ts";

// More than all buffers on the way hold.
const LONG_BYTES = 40_000_000;

// Another address than nginx connects from.
const CALLER = "127.0.0.2";

describe.skipIf(!hasNginx)("nginx", () => {
  let service: TestService;
  let nginx: Nginx;
  let key: string;

  beforeAll(async () => {
    service = await startTestService({ proxies: LOOPBACK });
    ({ key } = await service.addUser(ALLOWED_ALL));
    const long = await addMedia(service.store, "long.wav", Buffer.alloc(LONG_BYTES, 1));
    const datetime = "2026-05-01T10:00:00Z";
    await service.add(
      toCall({ call_id: "a/b", datetime }),
      toCall({ call_id: "long", datetime }, [long]),
    );
    nginx = await startNginx(Number(new URL(service.baseUrl).port));
  });
  afterAll(async () => {
    await nginx[Symbol.asyncDispose]();
    await service[Symbol.asyncDispose]();
  });

  const toOptions = (path: string, port: number): RequestOptions => ({
    host: "127.0.0.1",
    port,
    path,
    localAddress: CALLER,
    headers: {
      Authorization: `Bearer ${key}`,
      "X-Forwarded-For": "203.0.113.9",
      "X-Forwarded-Proto": "https",
    },
  });
  const get = async (path: string): Promise<IncomingMessage> => {
    const sent = request({
      ...toOptions(path, nginx.ports.secure),
      ca: nginx.cert,
      agent: false,
    }).end();
    const [answer] = (await once(sent, "response")) as [IncomingMessage]; // so the event is documented
    return answer;
  };

  test("tells the service the caller's address, whatever the caller says of it", async () => {
    const answer = await get("/metadata/by-call-id/a%2Fb");
    expect([answer.statusCode, JSON.parse(await text(answer)).data]).toEqual([
      200,
      [expect.objectContaining({ call_id: "a/b" })],
    ]);
    await expect.poll(() => service.accounts.at(-1)?.address).toBe(CALLER);
  });

  test("tells that a caller came over plain HTTP, who is refused", async () => {
    const sent = requestPlain({
      ...toOptions("/flags/public", nginx.ports.plain),
      agent: new Agent(),
    }).end();
    const [answer] = (await once(sent, "response")) as [IncomingMessage];
    expect([answer.statusCode, await text(answer)]).toEqual([
      403,
      expect.stringContaining("HTTPS alone"),
    ]);
  });

  test("passes on an address that is too long, which the service refuses in the envelope", async () => {
    const answer = await get(`/metadata/by-call-id/${"a".repeat(20_000)}`);
    expect([answer.statusCode, JSON.parse(await text(answer)).isError]).toEqual([414, true]);
  });

  test("keeps no copy of a recording while its caller reads slowly", async () => {
    const answer = await get("/recording/stream-by-call-id/long");
    await once(answer, "readable");
    await setTimeout(500); // nginx reads on as far as it may
    let bytes = 0;
    for await (const chunk of answer) bytes += (chunk as Buffer).length;
    expect(bytes).toBe(LONG_BYTES);
    expect(await nginx.errors()).toBe("");
  });
});
