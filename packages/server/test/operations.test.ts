// The way over HTTP: what the service answers comes over the wire as it is, and what it is asked reaches it as it was sent.
import { randomBytes } from "node:crypto";
import { request as httpRequest } from "node:http";
import { createService } from "@call-media/service";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { routes } from "@call-media/api";
import { readRows } from "../../service/test/support/access-rows.ts";
import { type Face, type Sent, toLines } from "../../service/test/support/face.ts";
import { toServiceRequest } from "../../service/test/support/service.ts";
import { readAll } from "../../service/test/support/world.ts";
import {
  addMedia,
  ALLOWED_ALL,
  bodyOf,
  createApplication,
  startInMemory,
  type Served,
  toCall,
} from "./support/service.ts";

let service: Served;
let key: string;
let application: { readonly secretID: string; readonly secretKey: string };

// Longer than a buffer of the service.
const SOUND = randomBytes(500_003);
const DAYS = "startDate=2026-05-01&endDate=2026-05-31";

beforeAll(async () => {
  service = await startInMemory();
  const { user, key: issued } = await service.addUser(ALLOWED_ALL);
  key = issued;
  application = await createApplication(service.store, user.id);
  const sound = await addMedia(service.store, 'St\u00f6rung "2".wav', SOUND);
  const datetime = "2026-05-01T10:00:00Z";
  await service.add(
    ...Array.from({ length: 60 }, (_, n) => toCall({ call_id: `many ${n}`, datetime })),
    toCall({ call_id: "../\u00fc", ref_id: "r1", agent: "Ann", datetime }, [sound]),
  );
});
afterAll(() => service[Symbol.asyncDispose]());

/** The answer of the service itself, without a transport. */
async function answerOf(bearer: string, { path, headers, ...asked }: Sent): Promise<Face> {
  const type = asked.body === undefined ? {} : { "Content-Type": "application/json" };
  const from = bearer === "" ? {} : { Authorization: `Bearer ${bearer}` };
  const answer = await createService({ store: service.store }).answer(
    toServiceRequest(path, { ...asked, headers: { ...from, ...type, ...headers } }),
  );
  const body = await readAll(answer);
  return { status: answer.status, headers: toLines(Object.entries(answer.headers)), body };
}

/** The face of an answer, and what the access log says of it; without what differs from one request to the next. */
async function witness(ask: () => Promise<Face>) {
  const before = (await readRows(service.store)).length;
  const face = toAnswered(await ask());
  const rows = (await readRows(service.store)).slice(before);
  const ofEach = { seq: 0, hash: "", timeMs: 0, address: "", requestId: "" };
  return { face, rows: rows.map((row) => ({ ...row, ...ofEach })) };
}

/** Without what each connection says. */
const toAnswered = ({ headers, ...face }: Face): Face => ({
  ...face,
  headers: headers.filter((line) => !/^(Connection|Keep-Alive): /.test(line)),
});

const get = (path: string, headers: Record<string, string> = {}): Sent => ({
  method: "GET",
  path,
  headers,
});
const head = (path: string): Sent => ({ method: "HEAD", path });
const post = (path: string, body: unknown): Sent => ({ method: "POST", path, body });
const ID = "..%2F%C3%BC";

const ASKED: readonly Sent[] = [
  post("/Token", { secretID: "app_none", secretKey: "wrong" }),
  get(`/metadata/by-call-id/${ID}`),
  get("/metadata/by-reference/r1"),
  get("/metadata/by-reference/none"),
  post(`/metadata/search?pageIndex=0&${DAYS}`, { agent: "ann" }),
  post(`/metadata/search?pageIndex=0&${DAYS}`, { colour: "red" }),
  post(`/metadata/by-custom-fields?pageIndex=0&${DAYS}`, {}),
  post(`/metadata/by-custom-fields?pageIndex=1&${DAYS}`, {}),
  get(`/recording/by-call-id/${ID}`),
  get("/recording/by-reference/r1?part=2"),
  get(`/recording/stream-by-call-id/${ID}`),
  get(`/recording/stream-by-call-id/${ID}`, { Range: "bytes=100000-499999" }),
  get(`/recording/stream-by-call-id/${ID}`, { Range: "bytes=500003-" }),
  get("/recording/stream-by-reference/r1", { Accept: "text/html" }),
  head("/recording/stream-by-reference/r1"),
  get(`/chat/by-call-id/${ID}`),
  get("/users/basic-info?status=all"),
  get("/users/address-info?user_id=1"),
  get("/users/security-info?user_id=1&user_id=2"),
  get("/flags/public"),
  get("/flags/private?user_id=%31"),
  get("/flags/public", { Accept: "text/html" }),
  head("/metadata/by-reference/r1"),
  get("/metadata/by-call-id/.."),
  get("/chat/by-call-id/../x"),
  get("/chat/by-call-id/%E0%A4"),
  get("//Token"),
  get("/Token"),
];

describe("over HTTP the answer is that of the service, with its row in the access log", () => {
  test.each(ASKED.map((sent, n) => [sent.method, sent.path, n] as const))(
    "%s %s (%i)",
    async (_method, _path, n) => {
      const sent = ASKED[n] ?? get("/");
      const own = await witness(() => answerOf(key, sent));
      const wire = await witness(() => service.face(key, sent));
      expect(wire).toEqual(own);
      expect(service.accounts.at(-1)).toMatchObject({
        status: own.face.status,
        bytesSent: own.face.body.length,
      });
    },
  );

  test("so every operation is asked", () => {
    const isAsked = (path: string) => {
      const pattern = new RegExp(`^${path.replace(/\{\w+\}/, "[^/]+")}(\\?|$)`);
      return ASKED.some((sent) => pattern.test(sent.path));
    };
    expect(routes.map(({ path }) => path).filter((path) => !isAsked(path))).toEqual([]);
  });
});

test("an application signs in, and its token is good", async () => {
  const signedIn = await service.post("/Token", "none", application);
  expect(signedIn.status).toBe(200);
  const { access_token: token } = (await signedIn.json()) as { access_token: string };
  expect((await service.get("/flags/public", token)).status).toBe(200);
});

test("a header outside ASCII reaches the service unchanged", async () => {
  const answer = await service.face("", get("/flags/public", { Authorization: "Bearer \u00fcx" }));
  expect(answer.status).toBe(401);
  expect(String(answer.body)).toContain("The access token is malformed");
});

describe("a body", () => {
  const path = `/metadata/search?pageIndex=0&${DAYS}`;
  const json = { "Content-Type": "application/json" };

  test("sent in pieces without a length is bounded too", async () => {
    let pieces = 0;
    const large = new ReadableStream({
      pull: (controller) => {
        pieces += 1;
        if (pieces > 20) controller.close();
        else controller.enqueue(new Uint8Array(10_000).fill(32));
      },
    });
    const headers = { Authorization: `Bearer ${key}`, ...json };
    const init = { method: "POST", headers, body: large, duplex: "half" as const };
    const answer = await fetch(`${service.baseUrl}${path}`, init);
    expect(answer.status).toBe(413);
    expect(await bodyOf(answer)).toMatchObject({
      errorMessage: "The body is larger than 65536 bytes",
    });
  });
});

test("a body that says it will be too large is refused before it comes", async () => {
  const { port, hostname } = new URL(service.baseUrl);
  const headers = {
    Authorization: `Bearer ${key}`,
    "Content-Type": "application/json",
    "Content-Length": "65537",
  };
  const path = `/metadata/search?pageIndex=0&${DAYS}`;
  const status = await new Promise((resolve, reject) => {
    const asked = { port, hostname, path, method: "POST", headers };
    const sent = httpRequest(asked, (response) => {
      resolve(response.statusCode);
      sent.destroy();
    });
    sent.on("error", reject);
    sent.flushHeaders();
  });
  expect(status).toBe(413);
});

test("nothing of this was a failure of the service", () => {
  expect(service.failures).toEqual([]);
});
