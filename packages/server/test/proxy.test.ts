// Behind a proxy: whose word counts on where a request came from, and by which scheme (D24).
import { IncomingMessage } from "node:http";
import { Socket } from "node:net";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { createSourceFinder, isSubnet, toPerson } from "../src/http/proxy.ts";
import { type Account, createListener, listen } from "../src/index.ts";
import { ALLOWED_ALL, bodyOf, startInMemory, type Served, toCall } from "./support/service.ts";

let service: Served;
let key: string;

beforeAll(async () => {
  service = await startInMemory();
  ({ key } = await service.addUser(ALLOWED_ALL));
});
afterAll(() => service[Symbol.asyncDispose]());

const NOW = Date.now();

/** The same archive, served to such proxies. */
async function start(proxies: readonly string[]) {
  const accounts: Account[] = [];
  const onEnd = (account: Account) => void accounts.push(account);
  // The clock stands still: on a busy machine a delay might be over before the next sign-in.
  const listener = createListener({ store: service.store, proxies, onEnd, now: () => NOW });
  const { baseUrl, close } = await listen(listener, { host: "127.0.0.1", port: 0 });
  onTestFinished(close);
  const ask = (path: string, init: RequestInit) => fetch(baseUrl + path, init);
  const get = (headers: Record<string, string>) =>
    ask("/flags/public", { headers: { Authorization: `Bearer ${key}`, ...headers } });
  return { accounts, ask, get };
}

/** The address that the service takes such a request to come from. */
async function addressOf(proxies: readonly string[], forwarded: string | undefined) {
  const { accounts, get } = await start(proxies);
  await (await get(forwarded === undefined ? {} : { "X-Forwarded-For": forwarded })).text();
  await expect.poll(() => accounts).toHaveLength(1);
  return accounts[0]?.address;
}

const json = { "Content-Type": "application/json" };

const LOOPBACK = ["127.0.0.0/8", "::1"];

describe("the address of a request", () => {
  test.each<[string, readonly string[], string | undefined, string]>([
    ["without a proxy is that of the connection", [], "203.0.113.9", "127.0.0.1"],
    ["from elsewhere than the proxy as well", ["10.0.0.0/8"], "203.0.113.9", "127.0.0.1"],
    ["is what the proxy saw", LOOPBACK, "203.0.113.9", "203.0.113.9"],
    ["is the last that was seen", LOOPBACK, "198.51.100.1, 203.0.113.9", "203.0.113.9"],
    [
      "is the last that is not a proxy",
      [...LOOPBACK, "10.0.0.0/8", "fd00::/8"],
      "198.51.100.1, 203.0.113.9, 10.1.2.3,fd00::7",
      "203.0.113.9",
    ],
    ["may be the proxy's own", [...LOOPBACK, "10.0.0.0/8"], "10.1.2.3", "10.1.2.3"],
    ["may be IPv6", LOOPBACK, "2001:db8::1", "2001:db8::1"],
    ["is IPv4 when that was written as IPv6", LOOPBACK, "::ffff:203.0.113.9", "203.0.113.9"],
    ["has one notation", LOOPBACK, "2001:0DB8:0000:0:0:0:0:0001", "2001:db8::1"],
    ["keeps its interface", LOOPBACK, "FE80:0::1%eth0", "fe80::1%eth0"],
    ["ends at an invalid address", LOOPBACK, "203.0.113.9, unknown", "127.0.0.1"],
    [
      "ends there though an address stands before",
      [...LOOPBACK, "10.0.0.0/8"],
      "203.0.113.9, <x>, 10.0.0.1",
      "10.0.0.1",
    ],
    ["is the proxy's when that says nothing", LOOPBACK, undefined, "127.0.0.1"],
    ["is the proxy's when that says nothing of use", LOOPBACK, ", ,", "127.0.0.1"],
    ["of one proxy among subnets", ["127.0.0.1"], "203.0.113.9", "203.0.113.9"],
  ])("%s", async (_what, proxies, forwarded, address) => {
    expect(await addressOf(proxies, forwarded)).toBe(address);
  });
});

test.each<[address: string, person: string]>([
  ["203.0.113.9", "203.0.113.9"],
  ["::ffff:203.0.113.9", "203.0.113.9"],
  ["::FFFF:cb00:7109", "203.0.113.9"],
  ["0:0:0:0:0:ffff:203.0.113.9", "203.0.113.9"],
  ["2001:db8:0:1::1", "2001:db8:0:1::/64"],
  ["2001:0DB8:0000:0001:ffff:ffff:ffff:ffff", "2001:db8:0:1::/64"],
  ["2001:db8:0:1:0:ffff:203.0.113.9", "2001:db8:0:1::/64"],
  ["2001:db8::1", "2001:db8::/64"],
  ["::1", "::/64"],
  ["fe80::1%eth0", "fe80::/64"],
])("%s counts as %s to every limit", (address, person) => {
  expect(toPerson(address)).toBe(person);
  const request = new IncomingMessage(new Socket());
  Object.defineProperty(request.socket, "remoteAddress", { value: "127.0.0.1" });
  request.headers["x-forwarded-for"] = address;
  expect(createSourceFinder(LOOPBACK)(request).origin).toBe(person);
});

test("a proxy is known by its IPv4 address, however that is written", async () => {
  expect(await addressOf(["::ffff:127.0.0.1"], "203.0.113.9")).toBe("203.0.113.9");
});

test("a connection that is already lost comes from nowhere", () => {
  const request = new IncomingMessage(new Socket());
  request.headers["x-forwarded-for"] = "203.0.113.9";
  expect(createSourceFinder(LOOPBACK)(request)).toMatchObject({
    address: "",
    origin: undefined,
    namedUser: undefined,
    isPlain: false,
  });
});

test("failed sign-ins of one IPv6 network keep out nobody else, whatever its addresses", async () => {
  const { ask } = await start(LOOPBACK);
  const tryFrom = async (address: string, n: number) => {
    const body = JSON.stringify({ secretID: `id${n}`, secretKey: "x" });
    const headers = { ...json, "X-Forwarded-For": address };
    return (await ask("/Token", { method: "POST", headers, body })).status;
  };
  for (let n = 0; n < 5; n += 1) expect(await tryFrom(`2001:db8:0:1::${n}`, n)).toBe(401);
  expect(await tryFrom("2001:db8:0:1:ffff::", 5)).toBe(429);
  expect(await tryFrom("2001:db8:0:2::1", 6)).toBe(401);
});

test("failed sign-ins count for the address that the proxy saw", async () => {
  const { ask } = await start(LOOPBACK);
  const tryFrom = async (forwarded: string, secretID: string) => {
    const body = JSON.stringify({ secretID, secretKey: "x" });
    const headers = { ...json, "X-Forwarded-For": forwarded };
    return (await ask("/Token", { method: "POST", headers, body })).status;
  };
  for (let n = 0; n < 5; n += 1)
    expect(await tryFrom("198.51.100.1, 203.0.113.9", `id${n}`)).toBe(401);
  expect(await tryFrom("192.0.2.77, 203.0.113.9", "another")).toBe(429);
  expect(await tryFrom("203.0.113.9, 198.51.100.1", "another")).toBe(401);
});

describe("a request that came to the proxy", () => {
  const refused = "The request came to the proxy over plain HTTP; HTTPS alone is answered";

  test("over plain HTTP is refused, over HTTPS answered", async () => {
    const { get } = await start(LOOPBACK);
    for (const scheme of ["http", "HTTP", "https, http", "ws", "unknown"]) {
      const response = await get({ "X-Forwarded-Proto": scheme });
      expect([response.status, (await bodyOf(response)).errorMessage]).toEqual([403, refused]);
    }
    for (const scheme of ["https", "HTTPS", "http, https", "wss", ""])
      expect((await get({ "X-Forwarded-Proto": scheme })).status).toBe(200);
  });

  test.each<[forwarded: string, scheme: string, status: number]>([
    ["203.0.113.9, 10.0.0.1", "https, http", 200], // plain between the two proxies
    ["203.0.113.9, 10.0.0.1", "http, https", 403],
    ["203.0.113.9, 10.0.0.1", "http, https, http", 200], // the first is the caller's own word
    ["203.0.113.9, 10.0.0.1", "https", 200],
    ["203.0.113.9, 10.0.0.1", "http", 403],
    ["198.51.100.1, 203.0.113.9", "https, http", 403],
    ["203.0.113.9, unknown", "https, http", 403],
    ["10.0.0.2, 10.0.0.1", "http, https, http", 200],
  ])("for %s by %s is answered %i behind two", async (forwarded, scheme, status) => {
    const { get } = await start([...LOOPBACK, "10.0.0.0/8"]);
    const response = await get({ "X-Forwarded-For": forwarded, "X-Forwarded-Proto": scheme });
    expect(response.status).toBe(status);
  });

  test("is not judged by what others than the proxy say", async () => {
    const { get } = await start(["10.0.0.0/8"]);
    expect((await get({ "X-Forwarded-Proto": "http" })).status).toBe(200);
  });
});

test("the link to the next page names no host, so that it leads back through the proxy", async () => {
  const { ask } = await start(LOOPBACK);
  const datetime = "2026-01-05T10:00:00Z";
  await service.add(
    ...Array.from({ length: 51 }, (_, n) => toCall({ call_id: String(n), agent: "a", datetime })),
  );
  const path = "/metadata/search?pageIndex=0&startDate=2026-01-01&endDate=2026-01-31";
  const forwarded = { "X-Forwarded-Proto": "https", "X-Forwarded-Host": "calls.example" };
  const response = await ask(path, {
    method: "POST",
    headers: { ...json, ...forwarded, Authorization: `Bearer ${key}` },
    body: JSON.stringify({ agent: "a" }),
  });
  const next = path.replace("pageIndex=0", "pageIndex=1");
  expect(response.headers.get("link")).toBe(`<${next}>; rel="next"`);
});

test.each(["10.0.0.1", "10.0.0.0/8", "0.0.0.0/0", "::1", "fd00::/8", "::/0", "2001:db8::/128"])(
  "%s names proxies",
  (text) => expect(isSubnet(text)).toBe(true),
);

test.each([
  "",
  "proxy",
  "10.0.0",
  "10.0.0.1/33",
  "10.0.0.1/",
  "10.0.0.1/8/8",
  "::1/129",
  "10.0.0.1/-1",
  "*",
])("%j names no proxy, and no service starts with it", (text) => {
  expect(isSubnet(text)).toBe(false);
  expect(() => createListener({ store: service.store, proxies: [text] })).toThrow(
    `${text} is neither an address nor a subnet`,
  );
});
