// nginx as deploy/nginx.conf sets it up, before the service: who asks, how the caller came, and what it passes on.
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import {
  Agent,
  createServer,
  request as requestPlain,
  type IncomingMessage,
  type RequestOptions,
} from "node:http";
import { request } from "node:https";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { connect } from "node:tls";
import { setTimeout } from "node:timers/promises";
import type { UserRecord } from "@call-media/store";
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

const SECRET = "5e".repeat(32);

// Another address than nginx connects from.
const CALLER = "127.0.0.2";

// What the caller says of its own address.
const CLAIMED = "203.0.113.9";

/** A service that says who has signed in, as oauth2-proxy does: 202 with a name, or 401. */
async function startNaming() {
  const server = createServer((asked, answer) => {
    const [, name] = /name=(\w+)/.exec(asked.headers.cookie ?? "") ?? [];
    if (asked.url !== "/oauth2/auth") answer.writeHead(200).end("sign in");
    else if (name === undefined) answer.writeHead(401).end();
    else answer.writeHead(202, { "X-Auth-Request-User": name }).end();
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  return {
    port: (server.address() as AddressInfo).port, // an IP socket
    [Symbol.asyncDispose]: async () => void (await once(server.close(), "close")),
  };
}

if (!hasNginx) console.warn("nginx is not installed: deploy/nginx.conf is not tested");

describe.skipIf(!hasNginx)("nginx", () => {
  let service: TestService;
  let nginx: Nginx;
  let key: string;
  let user: UserRecord;

  beforeAll(async () => {
    const naming = { userHeader: "X-Forwarded-User", secret: SECRET, mayNameAdmins: false };
    service = await startTestService({
      proxies: LOOPBACK,
      console: { isSecure: true, naming },
    });
    ({ key, user } = await service.addUser(ALLOWED_ALL));
    const long = await addMedia(service.store, "long.wav", Buffer.alloc(LONG_BYTES, 1));
    const datetime = "2026-05-01T10:00:00Z";
    await service.add(
      toCall({ call_id: "a/b", datetime }),
      toCall({ call_id: "long", datetime }, [long]),
    );
    nginx = await startNginx(Number(new URL(service.baseUrl).port), (file) =>
      file.replace("error_log /dev/null emerg;", ""),
    );
  });
  afterAll(async () => {
    await nginx[Symbol.asyncDispose]();
    await service[Symbol.asyncDispose]();
  });

  const toOptions = (
    path: string,
    port: number,
    { from: localAddress = CALLER, address = CLAIMED } = {},
  ): RequestOptions => ({
    host: "127.0.0.1",
    port,
    path,
    localAddress,
    headers: {
      Authorization: `Bearer ${key}`,
      "X-Forwarded-For": address,
      "X-Forwarded-Proto": "https",
    },
  });
  const get = async (
    path: string,
    { from = CALLER, by = nginx, address = CLAIMED } = {},
  ): Promise<IncomingMessage> => {
    const sent = request({
      ...toOptions(path, by.ports.secure, { from, address }),
      ca: by.cert,
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

  /** Opens a session of the user whom the proxy names, as a caller who names one as well. */
  const openSession = async (by: Nginx, headers: Record<string, string>) => {
    const sent = request({
      ...toOptions("/console/session", by.ports.secure),
      method: "POST",
      headers: { "Content-Type": "application/json", "X-Call-Media-Console": "1", ...headers },
      ca: by.cert,
      agent: false,
    }).end("{}");
    const [answer] = (await once(sent, "response")) as [IncomingMessage];
    return [answer.statusCode, await text(answer)];
  };

  test.each<[what: string, secret: string]>([
    ["without the secret", ""],
    ["with the secret", SECRET],
  ])("lets no caller name the user of the console, %s", async (_what, secret) => {
    const headers = { "X-Forwarded-User": user.username, "X-Call-Media-Proxy-Secret": secret };
    expect(await openSession(nginx, headers)).toEqual([
      400,
      expect.stringContaining("Send apiKey"),
    ]);
  });

  test("names whom it has signed in itself, whatever the caller sends", async () => {
    const other = await service.addUser(ALLOWED_ALL);
    // In the place of oauth2-proxy: it knows everybody by a cookie.
    await using signedIn = await startNaming();
    const users = await readFile(new URL("../deploy/console-users.conf", import.meta.url), "utf8");
    const secret = `auth_request_set $call_media_secret ${SECRET};`;
    await using by = await startNginx(Number(new URL(service.baseUrl).port), undefined, {
      "console-users.conf": users.replaceAll("127.0.0.1:4180", `127.0.0.1:${signedIn.port}`),
      "proxy-secret.conf": secret,
    });
    const forged = { "X-Forwarded-User": other.user.username, "X-Call-Media-Proxy-Secret": "x" };
    const [status] = await openSession(by, { ...forged, Cookie: `name=${user.username}` });
    expect(status).toBe(200);
    await expect.poll(() => service.accounts.at(-1)?.page).toBe("/console/session");
    expect(await openSession(by, forged)).toEqual([200, "sign in"]);
    expect((await get("/flags/public", { by })).resume().statusCode).toBe(200);
    const read = async () => {
      const found = [];
      for await (const { operation, userId, credential } of service.store.accessLog.read({}))
        if (operation === "console sign-in") found.push([userId, credential]);
      return found;
    };
    await expect.poll(read).toEqual([[user.id, `user ${user.id}, named by the proxy`]]);
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

  test("tells browsers to use only TLS, also in responses of the service", async () => {
    const answer = await get("/flags/public");
    expect(answer.headers["strict-transport-security"]).toBe("max-age=31536000");
    answer.resume();
  });

  test("takes no suite with CBC", async () => {
    const socket = connect({
      host: "127.0.0.1",
      port: nginx.ports.secure,
      ca: nginx.cert,
      maxVersion: "TLSv1.2",
      ciphers: "ECDHE-ECDSA-AES128-SHA",
    });
    await expect(once(socket, "secureConnect")).rejects.toThrow(/handshake failure/);
  });

  const expectRefused = async (answer: IncomingMessage, status: number, message: RegExp) => {
    expect(answer.statusCode).toBe(status);
    expect(answer.headers).toMatchObject({
      "content-type": "application/json; charset=utf-8",
      "retry-after": "5",
      "strict-transport-security": "max-age=31536000",
      "x-request-id": expect.stringMatching(/./),
    });
    expect(JSON.parse(await text(answer))).toEqual({
      isError: true,
      errorMessage: expect.stringMatching(message),
      data: [],
    });
  };

  test("answers for a service that is not there in the envelope", async () => {
    // Port 9 (discard), which nobody listens on.
    await using by = await startNginx(9);
    await expectRefused(await get("/flags/public", { by }), 502, /not available/);
    expect(await by.errors()).toBe("");
  });

  test("lets no address take all answers", async () => {
    await using by = await startNginx(Number(new URL(service.baseUrl).port), (file) =>
      file.replace("call_media_answers 500", "call_media_answers 3"),
    );
    const stalled = await Promise.all(
      Array.from({ length: 3 }, () => get("/recording/stream-by-call-id/long", { by })),
    );
    await expectRefused(await get("/flags/public", { by }), 429, /from this address/);
    const other = await get("/flags/public", { by, from: "127.0.0.3" });
    expect([other.statusCode, JSON.parse(await text(other)).isError]).toEqual([200, false]);
    for (const answer of stalled) answer.destroy();
  });

  test.each<[what: string, first: string, second: string, other: string]>([
    ["an IPv6 network", "2001:db8:0:1::1", "2001:db8:0:1:ffff::2", "2001:db8:0:2::1"],
    ["an IPv4 address of an IPv6 socket", "::ffff:192.0.2.1", "192.0.2.1", "::ffff:192.0.2.2"],
    ["an IPv4 address with bytes of line ends", "10.10.13.0", "10.10.13.0", "10.10.13.10"],
  ])("counts %s as one caller", async (_what, first, second, other) => {
    // nginx then takes the caller's address from the header, as if the connection came from there.
    const edit = (file: string) =>
      file
        .replace("rate=1000r/s", "rate=1r/m")
        .replace(" burst=500", "")
        .replace(
          "listen ",
          "set_real_ip_from 127.0.0.0/8; real_ip_header X-Forwarded-For; listen ",
        );
    await using by = await startNginx(Number(new URL(service.baseUrl).port), edit);
    const statuses: unknown[] = [];
    for (const address of [first, second, other])
      statuses.push((await get("/flags/public", { by, address })).resume().statusCode);
    expect(statuses).toEqual([200, 429, 200]);
  });

  test("lets no address ask without end", async () => {
    await using by = await startNginx(Number(new URL(service.baseUrl).port), (file) =>
      file.replace("rate=1000r/s", "rate=1r/m").replace("burst=500", "burst=1 nodelay"),
    );
    const statuses: unknown[] = [];
    for (let count = 0; count < 3; count += 1)
      statuses.push((await get("/flags/public", { by })).resume().statusCode);
    expect(statuses).toEqual([200, 200, 429]);
    const other = await get("/flags/public", { by, from: "127.0.0.3" });
    expect(other.resume().statusCode).toBe(200);
  });
});
