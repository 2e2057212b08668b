// A recording's two forms: every byte, by range, by condition, by part, and what is said of it (D15-D17).
import { createHash, randomBytes } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  ALLOWED_ALL,
  addMedia,
  startTestService,
  type TestService,
  toCall,
  bodyOf,
} from "./support/service.ts";
import { toWave } from "@call-media/test-setup/sounds";
import { toSoundHeader } from "../src/sound-header.ts";
import { bearer } from "./support/world.ts";

let service: TestService;
let key: string;

// Longer than any buffer on the way and divisible by nothing in particular; a real RIFF header in front.
const SOUND = Buffer.concat([
  Buffer.from("RIFF\x24\x08\x00\x00WAVEfmt ", "latin1"),
  randomBytes(1_000_003),
]);
const OTHER = randomBytes(77);
const SHA256 = createHash("sha256").update(SOUND).digest();
const STREAM = "/recording/stream-by-call-id/c1";

beforeAll(async () => {
  service = await startTestService();
  ({ key } = await service.addUser(ALLOWED_ALL));
  const first = await addMedia(service.store, "first.wav", SOUND);
  const second = await addMedia(service.store, "Störung „2“.bin", OTHER);
  const late = { ...(await addMedia(service.store, "late.wav", OTHER)), startMs: 2_000 };
  const early = { ...(await addMedia(service.store, "early.wav", SOUND)), startMs: 1_000 };
  const at = (time: string) => `2026-05-01T${time}Z`;
  await service.add(
    toCall({ call_id: "c1", ref_id: "r1", datetime: at("10:00:00") }, [first, second]),
    toCall({ call_id: "legs", ref_id: "r2", agent: "a", datetime: at("12:00:00") }, [late]),
    toCall({ call_id: "legs", ref_id: "r2", agent: "b", datetime: at("11:00:00") }, [early]),
    toCall({ call_id: "silent", datetime: at("13:00:00") }),
    toCall({ call_id: "odd", ref_id: '", a=1;\r % füü 📞' }, [second]),
    toCall({ call_id: "long", ref_id: "é".repeat(1000) }, [second]),
  );
});
afterAll(() => service[Symbol.asyncDispose]());

test("nothing is said of the sound where nobody looked, nor a name that no header carries (D37)", () => {
  const media = { sha256: "", bytes: 1, type: "audio/wav", modifiedMs: 0 };
  expect(toSoundHeader(media)).toEqual({});
  const sound = { version: 1, container: "aiff", codec: "\u0001ü", findings: [] } as const;
  expect(toSoundHeader({ ...media, sound })).toEqual({ "Recording-Sound": "findings=()" });
});

const bytesOf = async (response: Response) => Buffer.from(await response.arrayBuffer());

describe("a stream", () => {
  test("is the file, byte for byte, with all that a player and an auditor need", async () => {
    const response = await service.get(STREAM, key);
    expect(response.status).toBe(200);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      "content-type": "audio/wav",
      "content-length": String(SOUND.length),
      "content-disposition": "attachment; filename=first.wav",
      "x-content-type-options": "nosniff",
      "accept-ranges": "bytes",
      "cache-control": "no-store",
      etag: `"${SHA256.toString("hex")}"`,
      "repr-digest": `sha-256=:${SHA256.toString("base64")}:`,
    });
    expect(Date.parse(response.headers.get("last-modified") ?? "")).toBeLessThanOrEqual(Date.now());
    expect((await bytesOf(response)).equals(SOUND)).toBe(true);
  });

  test.each([
    ["c1", 'call_id=%"c1", ref_id=%"r1", datetime=%"2026-05-01T10:00:00Z"'],
    ["legs", 'call_id=%"legs", ref_id=%"r2", datetime=%"2026-05-01T11:00:00Z"'],
    ["legs?part=2", 'call_id=%"legs", ref_id=%"r2", datetime=%"2026-05-01T12:00:00Z"'],
    // Quotes, separators and other scripts are safe; null is left out.
    ["odd", 'call_id=%"odd", ref_id=%"%22, a=1;%0d %25 f%c3%bc%c3%bc %f0%9f%93%9e"'],
    // A head of any length would be refused on the way.
    ["long", null],
  ])("says whose it is, in each of its forms: %s (D38)", async (call, expected) => {
    const wanted = `/recording/stream-by-call-id/${call}`;
    const Range = "bytes=1-2";
    for (const response of [
      await service.get(wanted, key),
      await service.get(wanted, key, { Range }),
      await service.get(wanted.replace("stream-", ""), key),
      await service.send(wanted, { method: "HEAD", headers: bearer(key) }),
    ]) {
      expect(response.status).toBeLessThan(300);
      expect(response.headers.get("recording-of")).toBe(expected);
    }
  });

  test("says what was found in its bytes, with 200, 206, 304 and HEAD, and never with an error (D37)", async () => {
    const cut = toWave({ seconds: 2 }).subarray(0, 16_044);
    const media = await addMedia(service.store, "cut.wav", cut);
    await service.add(toCall({ call_id: "cut", agent: "a" }, [media]));
    const wanted = "/recording/stream-by-call-id/cut";
    const etag = (await service.get(wanted, key)).headers.get("etag") ?? "";
    const told = await Promise.all([
      service.get(wanted, key),
      service.get(wanted, key, { Range: "bytes=1-2" }),
      service.get(wanted, key, { "If-None-Match": etag }),
      service.send(wanted, { method: "HEAD", headers: bearer(key) }),
    ]);
    expect(told.map(({ status }) => status)).toEqual([200, 206, 304, 200]);
    for (const { headers } of told)
      expect(headers.get("recording-sound")).toBe(
        'duration=1.000, codec="pcm", rate=8000, channels=1, findings=("truncated";percent=50)',
      );
    const { key: other } = await service.addUser({ ...ALLOWED_ALL, allow_all_agents: false });
    const { key: noDownload } = await service.addUser({ ...ALLOWED_ALL, allow_download: false });
    for (const [path, bearerKey, status] of [
      [wanted, other, 404],
      [wanted, noDownload, 403],
      [`${wanted}?part=2`, key, 404],
    ] as const) {
      const refused = await service.get(path, bearerKey);
      expect([refused.status, refused.headers.get("recording-sound")]).toEqual([status, null]);
    }
  });

  test("has a name in any language and the type that its bytes show", async () => {
    const response = await service.get(`${STREAM}?part=2`, key);
    expect(response.headers.get("content-disposition")).toContain(
      "filename*=UTF-8''St%C3%B6rung%20%E2%80%9E2%E2%80%9C.bin",
    );
    expect(response.headers.get("content-type")).toBe("application/octet-stream");
    expect((await bytesOf(response)).equals(OTHER)).toBe(true);
  });

  test("is octets for a client that wants nothing else, 406 for one that wants neither", async () => {
    const octets = await service.get(STREAM, key, { Accept: "application/octet-stream" });
    expect(octets.headers.get("content-type")).toBe("application/octet-stream");
    expect((await service.get(STREAM, key, { Accept: "application/json" })).status).toBe(406);
  });

  test("is what it is for a client whose Accept says nothing", async () => {
    const response = await service.get(STREAM, key, { Accept: "" });
    expect([response.status, response.headers.get("content-type")]).toEqual([200, "audio/wav"]);
  });

  test.each([
    ["bytes=0-0", 0, 0],
    ["bytes=0-99", 0, 99],
    ["bytes=500000-", 500_000, SOUND.length - 1],
    ["bytes=-7", SOUND.length - 7, SOUND.length - 1],
    ["bytes=-99999999", 0, SOUND.length - 1],
    [`bytes=1000000-99999999`, 1_000_000, SOUND.length - 1],
    ["Bytes=5-9", 5, 9],
  ])("%s is part of it", async (range, first, last) => {
    const response = await service.get(STREAM, key, { Range: range });
    expect(response.status).toBe(206);
    expect(response.headers.get("content-range")).toBe(`bytes ${first}-${last}/${SOUND.length}`);
    expect(response.headers.get("content-length")).toBe(String(last - first + 1));
    expect((await bytesOf(response)).equals(SOUND.subarray(first, last + 1))).toBe(true);
  });

  test.each(["bytes=0-1,5-9", "lines=0-5", "seconds=1-"])(
    "%s is answered with the whole",
    async (range) => {
      const response = await service.get(STREAM, key, { Range: range });
      expect(response.status).toBe(200);
      expect((await bytesOf(response)).length).toBe(SOUND.length);
    },
  );

  test.each([
    [
      `bytes=${SOUND.length}-`,
      `Range starts past the end of the recording, which has ${SOUND.length} bytes`,
    ],
    ["bytes=-0", `Range starts past the end of the recording, which has ${SOUND.length} bytes`],
    ["bytes=5-3", "Range must not end before it starts"],
    ["bytes=-", "Range must be written bytes=first-last"],
    ["bytes=a-b", "Range must be written bytes=first-last"],
    ["bytes=0x1-5", "Range must be written bytes=first-last"],
    ["bytes=1 0-2 0", "Range must be written bytes=first-last"],
  ])("%s is refused", async (range, message) => {
    const response = await service.get(STREAM, key, { Range: range });
    expect(response.status).toBe(416);
    expect(response.headers.get("content-range")).toBe(`bytes */${SOUND.length}`);
    expect(await response.json()).toEqual({ isError: true, errorMessage: message, data: [] });
  });

  test("goes on after a cut only while it is the same recording", async () => {
    const whole = await service.get(STREAM, key);
    const [etag, modified] = [
      whole.headers.get("etag") ?? "",
      whole.headers.get("last-modified") ?? "",
    ];
    const statusWith = async (condition: string) => {
      const asked = { Range: "bytes=10-", "If-Range": condition };
      return (await service.get(STREAM, key, asked)).status;
    };
    expect(await statusWith(etag)).toBe(206);
    expect(await statusWith(modified)).toBe(206);
    expect(await statusWith('"another"')).toBe(200);
    expect(await statusWith(`W/${etag}`)).toBe(200);
    expect(await statusWith("Thu, 01 Jan 1970 00:00:00 GMT")).toBe(200);
  });

  test("is not sent again to who has it", async () => {
    const etag = `"${SHA256.toString("hex")}"`;
    const response = await service.get(STREAM, key, { "If-None-Match": `"x", W/${etag}` });
    expect(response.status).toBe(304);
    expect(response.headers.get("etag")).toBe(etag);
    expect(await response.text()).toBe("");
  });

  test("is answered to HEAD with the same headers and no body, whole whatever the Range", async () => {
    const { status, headers } = await service.face(key, { method: "GET", path: STREAM });
    for (const range of [
      {},
      { Range: "bytes=0-9" },
      { Range: "bytes=99999999-" },
      { Range: "bytes=x" },
    ]) {
      const head = await service.face(key, { method: "HEAD", path: STREAM, headers: range });
      expect(head).toEqual({ status, headers, body: Buffer.alloc(0) });
    }
  });

  test("is no more than it was to HEAD from who has it", async () => {
    const held = { "If-None-Match": `"${SHA256.toString("hex")}"` };
    const head = await service.face(key, { method: "HEAD", path: STREAM, headers: held });
    expect(head.status).toBe(304);
  });
});

describe("base64 in the envelope", () => {
  test("decodes to the very bytes of the stream", async () => {
    const response = await service.get("/recording/by-call-id/c1", key);
    const text = await response.text();
    expect(response.headers.get("content-length")).toBe(String(text.length));
    const body = JSON.parse(text);
    expect(body).toMatchObject({
      isError: false,
      errorMessage: null,
      data: { success: true, filename: "first.wav" },
    });
    expect(Object.keys(body.data)).toEqual(["success", "filename", "base64"]);
    expect(Buffer.from(body.data.base64, "base64").equals(SOUND)).toBe(true);
  });

  // A step of what is turned into base64 at a time is 24 KiB, a piece that is read 288 KiB.
  const around = (bytes: number) => [bytes - 1, bytes, bytes + 1];
  test.each([1, 2, 3, 4, ...around(24_576), ...around(294_912), 589_825])(
    "ends rightly for any length: %i bytes",
    async (length) => {
      const content = randomBytes(length);
      await service.add(
        toCall({ call_id: `tiny-${length}`, datetime: "2026-05-02T00:00:00Z" }, [
          await addMedia(service.store, 'a"\\b.wav', content),
        ]),
      );
      const { data } = await bodyOf(await service.get(`/recording/by-call-id/tiny-${length}`, key));
      expect(data).toEqual({
        success: true,
        filename: 'a"\\b.wav',
        base64: content.toString("base64"),
      });
    },
  );
});

test.each([
  ["a stream", STREAM, (sent: Buffer) => sent],
  [
    "base64",
    "/recording/by-call-id/c1",
    (sent: Buffer) => Buffer.from(JSON.parse(sent.toString()).data.base64, "base64"),
  ],
])("many at a time: %s of each is every byte", async (_form, path, toSound) => {
  const sent = await Promise.all(
    Array.from({ length: 40 }, async () => bytesOf(await service.get(path, key))),
  );
  for (const bytes of sent) expect(toSound(bytes).equals(SOUND)).toBe(true);
});

describe("a call with several recordings", () => {
  test("the first by start is given, the others by part, over all records of the call", async () => {
    const nameOf = async (query: string) =>
      (
        await bodyOf<{ filename: string }>(
          await service.get(`/recording/by-reference/r2${query}`, key),
        )
      ).data.filename;
    expect(await nameOf("")).toBe("early.wav");
    expect(await nameOf("?part=1")).toBe("early.wav");
    expect(await nameOf("?part=2")).toBe("late.wav");
    expect((await service.get("/recording/by-reference/r2?part=3", key)).status).toBe(404);
  });

  test("all names stand in the record", async () => {
    const { data } = await bodyOf(await service.get("/metadata/by-call-id/c1", key));
    expect(data[0]?.recordings).toBe("first.wav; Störung „2“.bin");
  });
});

describe("a recording that is not there", () => {
  test.each([
    ["/recording/by-call-id/silent", "There is no recording for this call_id"],
    ["/recording/stream-by-call-id/nobody", "There is no recording for this call_id"],
    ["/recording/stream-by-reference/nobody", "There is no recording for this ref_id"],
  ])("%s is 404", async (path, message) => {
    const response = await service.get(path, key);
    expect(response.status).toBe(404);
    expect(await response.json()).toEqual({ isError: true, errorMessage: message, data: [] });
  });
});
