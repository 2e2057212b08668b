// An identifier in a path is any text at all: what it spells means nothing to the service.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  ALLOWED_ALL,
  addMedia,
  startTestService,
  type TestService,
  toCall,
} from "./support/service.ts";

const IDS = [
  "a/b",
  "..",
  "../../etc/passwd",
  ".",
  "%2F",
  "a?b#c",
  "a\u0000b",
  "Zoë 📞",
  "مكالمة",
  "e\u0301",
  "' OR 1=1 --",
  "__proto__",
  "\u202Eright to left",
  "a\r\nX-Injected: 1",
  "📞".repeat(1_024),
];

let service: TestService;
let key: string;

beforeAll(async () => {
  service = await startTestService();
  ({ key } = await service.addUser(ALLOWED_ALL));
  const sound = await addMedia(service.store, "a.wav", Buffer.from("sound"));
  await service.add(
    ...IDS.map((id, n) =>
      toCall({ call_id: id, ref_id: id, agent: String(n), datetime: "2026-01-05T10:00:00Z" }, [
        sound,
      ]),
    ),
  );
});
afterAll(() => service[Symbol.asyncDispose]());

const get = async (target: string) => {
  const response = await service.get(target, key);
  const { status, headers } = response;
  return { status, headers, body: await response.text() };
};

const encodeAll = (id: string) =>
  [...Buffer.from(id)].map((byte) => `%${byte.toString(16).padStart(2, "0")}`).join("");

describe.each(IDS.map((id) => [id.slice(0, 30), id]))("%j", (_title, id) => {
  test("finds its own record and recording, however it is encoded", async () => {
    for (const encoded of [encodeURIComponent(id).replaceAll(".", "%2E"), encodeAll(id)]) {
      for (const path of ["/metadata/by-call-id/", "/metadata/by-reference/"]) {
        const { status, body } = await get(path + encoded);
        expect([status, JSON.parse(body).data]).toEqual([
          200,
          [expect.objectContaining({ call_id: id, agent: String(IDS.indexOf(id)) })],
        ]);
      }
      const stream = await get(`/recording/stream-by-call-id/${encoded}`);
      expect([stream.status, stream.body, stream.headers.get("x-injected")]).toEqual([
        200,
        "sound",
        null,
      ]);
      expect((await get(`/chat/by-call-id/${encoded}`)).status).toBe(200);
    }
  });
});

test("unencoded dots stay one segment of the path, too", async () => {
  const { status, body } = await get("/metadata/by-call-id/..");
  expect(status).toBe(200);
  expect(JSON.parse(body).data).toHaveLength(1);
});

describe("a malformed identifier is 400", () => {
  test.each(["%", "%2", "%zz", "%C0%AF", "%ED%A0%80", "%F4%90%80%80", "%E2%82", "a%FF"])(
    "%s",
    async (encoded) => {
      for (const path of ["/metadata/by-call-id/", "/recording/stream-by-reference/"]) {
        const { status, body } = await get(path + encoded);
        expect([status, JSON.parse(body).errorMessage]).toEqual([
          400,
          "The path has a malformed percent-encoding",
        ]);
      }
    },
  );

  test("longer than the longest identifier", async () => {
    const { status, body } = await get(`/metadata/by-call-id/${encodeAll("📞".repeat(1_025))}`);
    expect([status, JSON.parse(body).errorMessage]).toEqual([
      400,
      "call_id must have at most 1024 characters",
    ]);
  });
});

describe("a name in a query", () => {
  const asked = "/users/address-info?user_id=1";
  test.each(["&user_id=1", "&%75ser_id=2", "&user_id="])(
    "that comes twice, %s, is 400",
    async (again) => {
      const { status, body } = await get(asked + again);
      expect([status, JSON.parse(body).errorMessage]).toEqual([400, "user_id must be given once"]);
    },
  );

  test.each([
    "&__proto__=1",
    "&constructor=1&constructor=2",
    "&%ZZ=%FF",
    "&&",
    "&=",
    "&user_id[]=1",
  ])("that nobody knows, %s, changes nothing", async (more) => {
    expect((await get(asked + more)).status).toBe(200);
  });

  test.each([
    ...["%EF%BC%91", "1%00", "1+", "%31%20", "0x1", "1e0"].map((value) => ({
      value,
      fault: "must be an integer",
    })),
    { value: "%FF", fault: "must be percent-encoded UTF-8" },
  ])("with $value for a number is 400", async ({ value, fault }) => {
    const { status, body } = await get(`/users/address-info?user_id=${value}`);
    expect([status, JSON.parse(body).errorMessage]).toEqual([400, `user_id ${fault}`]);
  });
});

test("a number that no program could hold exactly is 400", async () => {
  const { status, body } = await get("/users/address-info?user_id=9007199254740993");
  expect(status).toBe(400);
  expect(JSON.parse(body).errorMessage).toMatch(/^user_id must be an integer from -?\d+ to \d+$/);
});

test("nothing of this was a failure of the service", () => {
  expect(service.failures).toEqual([]);
});
