// Behind a proxy: whose word counts on where a request came from, and by which scheme (D24).
import { describe, expect, onTestFinished, test } from "vitest";
import { isSubnet } from "../src/http/proxy.ts";
import { createService } from "../src/index.ts";
import { ALLOWED_ALL, bodyOf, startTestService, toCall } from "./support/service.ts";

async function start(proxies: readonly string[]) {
  const service = await startTestService({ proxies });
  onTestFinished(() => service[Symbol.asyncDispose]());
  const { key } = await service.addUser(ALLOWED_ALL);
  return { service, key };
}

/** The address that the service takes such a request to come from. */
async function addressOf(proxies: readonly string[], forwarded: string | undefined) {
  const { service, key } = await start(proxies);
  const headers = forwarded === undefined ? {} : { "X-Forwarded-For": forwarded };
  await (await service.get("/flags/public", key, headers)).text();
  await expect.poll(() => service.accounts).toHaveLength(1);
  return service.accounts[0]?.address;
}

const LOOPBACK = ["127.0.0.0/8", "::1"];

describe("the address of a request", () => {
  test.each<[string, readonly string[], string | undefined, string]>([
    ["without a proxy is that of the connection", [], "203.0.113.9", "127.0.0.1"],
    ["from elsewhere than the proxy as well", ["10.0.0.0/8"], "203.0.113.9", "127.0.0.1"],
    ["is what the proxy saw", LOOPBACK, "203.0.113.9", "203.0.113.9"],
    ["is the last that was seen", LOOPBACK, "198.51.100.1, 203.0.113.9", "203.0.113.9"],
    [
      "is the last that is no proxy",
      [...LOOPBACK, "10.0.0.0/8", "fd00::/8"],
      "198.51.100.1, 203.0.113.9, 10.1.2.3,fd00::7",
      "203.0.113.9",
    ],
    ["may be the proxy's own", [...LOOPBACK, "10.0.0.0/8"], "10.1.2.3", "10.1.2.3"],
    ["may be IPv6", LOOPBACK, "2001:db8::1", "2001:db8::1"],
    ["is IPv4 when that was written as IPv6", LOOPBACK, "::ffff:203.0.113.9", "203.0.113.9"],
    ["ends at what is no address", LOOPBACK, "203.0.113.9, unknown", "127.0.0.1"],
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

test("failed sign-ins count for the address that the proxy saw", async () => {
  const { service } = await start(LOOPBACK);
  const tryFrom = async (forwarded: string, secretID: string) =>
    (
      await service.post(
        "/Token",
        "",
        { secretID, secretKey: "x" },
        { "X-Forwarded-For": forwarded },
      )
    ).status;
  for (let n = 0; n < 5; n += 1)
    expect(await tryFrom("198.51.100.1, 203.0.113.9", `id${n}`)).toBe(401);
  expect(await tryFrom("192.0.2.77, 203.0.113.9", "another")).toBe(429);
  expect(await tryFrom("203.0.113.9, 198.51.100.1", "another")).toBe(401);
});

describe("a request that came to the proxy", () => {
  const refused = "The request came to the proxy over plain HTTP; HTTPS alone is answered";

  test("over plain HTTP is refused, over HTTPS answered", async () => {
    const { service, key } = await start(LOOPBACK);
    const ask = (scheme: string) =>
      service.get("/flags/public", key, { "X-Forwarded-Proto": scheme });
    for (const scheme of ["http", "HTTP", "http, https"]) {
      const response = await ask(scheme);
      expect([response.status, (await bodyOf(response)).errorMessage]).toEqual([403, refused]);
    }
    for (const scheme of ["https", "HTTPS", "https, http", "wss", ""])
      expect((await ask(scheme)).status).toBe(200);
  });

  test("is not judged by what others than the proxy say", async () => {
    const { service, key } = await start(["10.0.0.0/8"]);
    const response = await service.get("/flags/public", key, { "X-Forwarded-Proto": "http" });
    expect(response.status).toBe(200);
  });
});

test("the link to the next page names no host, so that it leads back through the proxy", async () => {
  const { service, key } = await start(LOOPBACK);
  const datetime = "2026-01-05T10:00:00Z";
  await service.add(
    ...Array.from({ length: 51 }, (_, n) => toCall({ call_id: String(n), agent: "a", datetime })),
  );
  const path = "/metadata/search?pageIndex=0&startDate=2026-01-01&endDate=2026-01-31";
  const forwarded = { "X-Forwarded-Proto": "https", "X-Forwarded-Host": "calls.example" };
  const response = await service.post(path, key, { agent: "a" }, forwarded);
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
])("%j names no proxy, and no service starts with it", async (text) => {
  expect(isSubnet(text)).toBe(false);
  const { service } = await start([]);
  expect(() => createService({ store: service.store, proxies: [text] })).toThrow(
    `${text} is neither an address nor a subnet`,
  );
});
