// What a user may see and do (D20-D22): hidden is answered as missing, in pages, counts and by identifier alike.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { toFace } from "./support/face.ts";
import {
  ALLOWED_ALL,
  addMedia,
  startTestService,
  type TestService,
  toCall,
  bodyOf,
} from "./support/service.ts";

let service: TestService;
let admin: string;
let all: string;
let limited: string;
let limitedId: number;

const RANGE = "startDate=2026-01-01&endDate=2026-12-31";

beforeAll(async () => {
  service = await startTestService();
  ({ key: admin } = await service.addUser({ ...ALLOWED_ALL, username: "admin", is_admin: true }));
  ({ key: all } = await service.addUser({ ...ALLOWED_ALL, username: "all" }));
  const rights = {
    allow_all_campaigns: false,
    allowed_campaigns: [" sales "],
    allow_all_secure01: false,
    allowed_secure01: ["EMEA", "apac"],
  };
  const { user, key } = await service.addUser({
    ...ALLOWED_ALL,
    ...rights,
    username: "limited",
    allow_all_download_doc_type: false,
    allowed_download_doc_type: [".WAV"],
  });
  limited = key;
  limitedId = user.id;
  const day = (n: number) => `2026-02-${String(n).padStart(2, "0")}T09:00:00Z`;
  const wav = await addMedia(service.store, "seen.wav", new Uint8Array([1, 2, 3]));
  const mp3 = await addMedia(service.store, "seen.mp3", new Uint8Array([4, 5, 6]));
  await service.add(
    toCall(
      {
        call_id: "seen",
        ref_id: "r-seen",
        datetime: day(1),
        campaign: "Sales",
        security_field_01: "emea",
      },
      [wav],
    ),
    toCall(
      {
        call_id: "seen-mp3",
        ref_id: "r-mp3",
        datetime: day(2),
        campaign: "SALES",
        security_field_01: "APAC",
      },
      [mp3],
    ),
    toCall(
      {
        call_id: "wrong-campaign",
        ref_id: "r-wrong",
        datetime: day(3),
        campaign: "Billing",
        security_field_01: "EMEA",
      },
      [wav],
    ),
    toCall({ call_id: "no-security", ref_id: "r-null", datetime: day(4), campaign: "Sales" }, [
      wav,
    ]),
    toCall(
      { call_id: "no-campaign", ref_id: "r-null2", datetime: day(5), security_field_01: "EMEA" },
      [wav],
    ),
  );
  for (const call_id of ["seen", "wrong-campaign", "nowhere"]) {
    await service.add({
      kind: "chat",
      record: {
        call_id,
        transcript: "Hello",
        datetime: day(1),
        party_type: "Agent",
        label: null,
        room_id: "r",
      },
    });
  }
});
afterAll(() => service[Symbol.asyncDispose]());

const HIDDEN = ["wrong-campaign", "no-security", "no-campaign"];

describe("records", () => {
  test("only those in the lists are found and counted; a null is in no list", async () => {
    const page = await bodyOf(
      await service.post(`/metadata/by-custom-fields?pageIndex=0&${RANGE}`, limited, {}),
    );
    expect(page.recordCount).toBe(2);
    expect(page.data.map(({ call_id }) => call_id)).toEqual(["seen-mp3", "seen"]);
    const everything = await bodyOf(
      await service.post(`/metadata/by-custom-fields?pageIndex=0&${RANGE}`, all, {}),
    );
    expect(everything.recordCount).toBe(5);
  });

  test("a filter does not reach what is hidden", async () => {
    const response = await service.post(
      `/metadata/search?pageIndex=0&${RANGE}`,
      limited,
      { campaign: "Billing" },
      { Prefer: "count=exact" },
    );
    expect(response.headers.get("content-range")).toBe("records */0");
    expect((await bodyOf(response)).data).toEqual([]);
  });

  test.each(HIDDEN)("%s is answered as an identifier that does not exist", async (callId) => {
    const { data } = await bodyOf(await service.get(`/metadata/by-call-id/${callId}`, all));
    const reference = data[0]?.ref_id;
    for (const [path, unknown] of [
      [`/metadata/by-call-id/${callId}`, "/metadata/by-call-id/none"],
      [`/metadata/by-reference/${reference}`, "/metadata/by-reference/none"],
      [`/recording/by-call-id/${callId}`, "/recording/by-call-id/none"],
      [`/recording/by-reference/${reference}`, "/recording/by-reference/none"],
      [`/recording/stream-by-call-id/${callId}`, "/recording/stream-by-call-id/none"],
      [`/recording/stream-by-reference/${reference}`, "/recording/stream-by-reference/none"],
      [`/chat/by-call-id/${callId}`, "/chat/by-call-id/none"],
    ] as const) {
      expect(await toFace(await service.get(path, limited)), path).toEqual(
        await toFace(await service.get(unknown, limited)),
      );
    }
  });

  test("a chat without a call record is visible only to unrestricted users", async () => {
    expect((await bodyOf(await service.get("/chat/by-call-id/nowhere", all))).data).toHaveLength(1);
    expect((await bodyOf(await service.get("/chat/by-call-id/nowhere", limited))).data).toEqual([]);
    expect((await bodyOf(await service.get("/chat/by-call-id/seen", limited))).data).toHaveLength(
      1,
    );
  });

  test("a user with no rights at all sees none", async () => {
    const { key } = await service.addUser({ username: "nobody" });
    expect(
      (await bodyOf(await service.post(`/metadata/by-custom-fields?pageIndex=0&${RANGE}`, key, {})))
        .recordCount,
    ).toBe(0);
  });
});

describe("recordings", () => {
  test("need allow_download", async () => {
    const { key } = await service.addUser({
      ...ALLOWED_ALL,
      username: "no-download",
      allow_download: false,
    });
    for (const form of [
      "by-call-id/seen",
      "by-reference/r-seen",
      "stream-by-call-id/seen",
      "stream-by-reference/r-seen",
      "by-call-id/none",
    ]) {
      const response = await service.get(`/recording/${form}`, key);
      expect(response.status, form).toBe(403);
      expect((await bodyOf(response)).errorMessage).toBe(
        "allow_download is not granted to this user",
      );
    }
  });

  test("need their file's extension in the list, in any letter case, with or without its dot", async () => {
    expect((await service.get("/recording/by-call-id/seen", limited)).status).toBe(200);
    const refused = await service.get("/recording/stream-by-call-id/seen-mp3", limited);
    expect(refused.status).toBe(403);
    expect((await bodyOf(refused)).errorMessage).toBe(
      "allowed_download_doc_type of this user does not list mp3",
    );
    expect((await service.get("/recording/stream-by-call-id/seen-mp3", all)).status).toBe(200);
  });
});

describe("users", () => {
  const namesOf = async (response: Response) =>
    (await bodyOf<{ username: string }[]>(response)).data.map(({ username }) => username);

  test("an administrator lists all, by status; everybody else only themselves", async () => {
    await service.addUser({ username: "left", status: 2 });
    await service.addUser({ username: "away", status: 0 });
    expect(await namesOf(await service.get("/users/basic-info?status=deleted", admin))).toEqual([
      "left",
    ]);
    expect(await namesOf(await service.get("/users/basic-info?status=inactive", admin))).toEqual([
      "away",
    ]);
    expect(await namesOf(await service.get("/users/basic-info?status=all", admin))).toEqual(
      expect.arrayContaining(["admin", "left", "away"]),
    );
    const alone = await service.get("/users/basic-info?status=active", limited);
    expect(alone.headers.get("caller")).toBe(`id=${limitedId}, username=%"limited"`);
    const every = await service.get("/users/basic-info?status=deleted", admin);
    expect(every.headers.get("caller")).toBe('id=1, username=%"admin"');
    expect(await namesOf(alone)).toEqual(["limited"]);
    expect(await namesOf(await service.get("/users/basic-info?status=deleted", limited))).toEqual(
      [],
    );
  });

  test.each(["/users/address-info", "/users/security-info"])(
    "%s of somebody else is answered as of nobody",
    async (path) => {
      const others = await toFace(await service.get(`${path}?user_id=1`, limited));
      expect(others).toEqual(await toFace(await service.get(`${path}?user_id=4711`, limited)));
      expect(others).toMatchObject({
        status: 200,
        body: '{"isError":false,"errorMessage":null,"data":[]}',
      });
    },
  );

  test("address and rights have the contract's fields in its order", async () => {
    const address = await bodyOf(
      await service.get(`/users/address-info?user_id=${limitedId}`, limited),
    );
    expect(Object.keys(address.data[0] ?? {})).toEqual([
      "id",
      "username",
      "address",
      "city",
      "state",
      "zip_code",
      "country",
    ]);
    const security = await bodyOf(
      await service.get(`/users/security-info?user_id=${limitedId}`, admin),
    );
    expect(security.data[0]).toMatchObject({
      username: "limited",
      allowed_campaigns: [" sales "],
      allow_download: true,
    });
    expect(Object.keys(security.data[0] ?? {}).slice(0, 3)).toEqual(["id", "username", "is_admin"]);
  });
});

test("search_rights is passed through, whatever JSON it is", async () => {
  for (const value of [null, "own", 7, { teams: ["A", 1, null] }]) {
    const { user } = await service.addUser({
      username: `searcher ${JSON.stringify(value)}`,
      search_rights: value,
    });
    const { data } = await bodyOf<{ search_rights: unknown }[]>(
      await service.get(`/users/security-info?user_id=${user.id}`, admin),
    );
    expect(data[0]?.search_rights).toEqual(value);
  }
});
