// D36: whoever asks for it, and nobody else, is sent to the bucket for a recording.
import { createHash, randomBytes } from "node:crypto";
import { once } from "node:events";
import { type IncomingMessage, request } from "node:http";
import { text } from "node:stream/consumers";
import { expect, test } from "vitest";
import { createArchive, serve } from "./support/bucket-archive.ts";
import { run } from "./support/command.ts";

const STREAM = "/recording/stream-by-call-id/A";
const ASKING = { Prefer: "wait=5, redirect" };

const read = async (response: Response) => Buffer.from(await response.arrayBuffer());

test("the bucket sends what the service would, and does not see the key of the service", async () => {
  const content = randomBytes(300_000);
  const { server, get, key, program } = await serve(content, ["--media-redirect", "30"]);
  const own = await get(STREAM);
  expect(own.redirected).toBe(false);

  // fetch leaves Authorization behind when the host changes; the bucket refuses credentials of two kinds.
  const followed = await get(STREAM, ASKING);
  expect([followed.status, followed.redirected]).toEqual([200, true]);
  const url = new URL(followed.url);
  expect([url.origin, url.searchParams.get("X-Amz-Expires")]).toEqual([server.endpoint, "30"]);
  expect((await read(followed)).equals(content)).toBe(true);
  expect(url.pathname.split("/").at(-1)).toBe(createHash("sha256").update(content).digest("hex"));
  for (const name of ["content-type", "content-disposition", "content-length"])
    expect([name, followed.headers.get(name)]).toEqual([name, own.headers.get(name)]);
  const withKey = await fetch(followed.url, { headers: { Authorization: `Bearer ${key}` } });
  expect(withKey.status).toBe(400);
  const altered = followed.url.replace("Expires=30", "Expires=3000");
  expect((await fetch(altered)).status).toBe(403);

  const { status, headers, body } = await open(program.baseUrl + STREAM, key);
  expect([status, body]).toEqual([307, ""]);
  expect(headers).toMatchObject({ "preference-applied": "redirect", "cache-control": "no-store" });
  expect(headers["recording-of"]).toBe(own.headers.get("recording-of"));
  expect(headers["recording-of"]).toContain('call_id=%"');
});

test("the log says that it was handed out; who does not ask, or wants a part, is served as ever", async () => {
  const { get, places, program } = await serve(randomBytes(5_000), ["--media-redirect"]);
  const served = [
    await get(STREAM),
    await get(STREAM, { ...ASKING, Range: "bytes=0-9" }),
    await get("/recording/by-call-id/A", ASKING),
    await get(STREAM, { Prefer: "count=exact, noredirect" }),
  ];
  expect(served.map(({ status, redirected }) => [status, redirected])).toEqual([
    [200, false],
    [206, false],
    [200, false],
    [200, false],
  ]);
  const followed = await get(STREAM, ASKING);
  expect(new URL(followed.url).searchParams.get("X-Amz-Expires")).toBe("60");
  await Promise.all([...served, followed].map(read));

  const { stdout } = await run("audit", "--format", "jsonl", ...places);
  const rows = stdout
    .trim()
    .split("\n")
    .map((line): Record<string, unknown> => JSON.parse(line));
  const handedOut = rows.filter(({ isHandedOut }) => isHandedOut);
  expect(handedOut).toMatchObject([{ status: 307, callIds: ["A"], recording: { last: 4_999 } }]);
  expect((await run("audit", ...places)).stdout).toMatch(
    / 307 +streamRecordingByCallId +handed out /,
  );
  const { stdout: csv } = await run("audit", "--format", "csv", ...places);
  expect(csv.split("\n")[0]).toContain("is_cut,is_handed_out,");
  const log = JSON.stringify(program.log());
  expect(log).not.toMatch(/X-Amz|Signature/);
});

test("nobody is sent to a recording that is damaged, gone, out of reach, or not theirs", async () => {
  const { server, get, places } = await serve(randomBytes(5_000), ["--media-redirect"]);
  const name = [...server.objects.keys()].find((one) => !one.includes(".call-media-")) ?? "";
  const [object] = server.objects.get(name) ?? [];
  const ask = async () => {
    const { status, headers } = await get(STREAM, ASKING);
    return [status, headers.get("retry-after")];
  };
  server.replace(name, randomBytes(5_000));
  expect(await ask()).toEqual([503, "5"]);
  server.objects.delete(name);
  const missing = await get(STREAM);
  expect(await ask()).toEqual([missing.status, missing.headers.get("retry-after")]);
  server.replace(name, object?.content ?? Buffer.alloc(0));
  expect(await ask()).toEqual([200, null]);
  await server.stop();
  expect(await ask()).toEqual([503, "5"]);
  await server.start();
  await run("user", "set", "mia", "allow_download=false", ...places);
  expect(await ask()).toEqual([403, null]);
});

test.each([
  ["file:./media", "needs recordings in a bucket that is reached over https"],
  [
    "s3://recordings?endpoint=http://s3.example.com",
    "needs recordings in a bucket that is reached over https",
  ],
])("with %s it is refused at the start", async (media, fault) => {
  const { directory } = await createArchive(randomBytes(10));
  const refused = await run("serve", "--data", directory, "--media", media, "--media-redirect");
  expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining(fault) });
});

test.each(["0", "301", "x"])("a life of %s seconds is refused", async (seconds) => {
  const refused = await run("serve", "--data", "nowhere", "--media-redirect", seconds);
  expect(refused.stderr).toContain("It must be a whole number from 1 to 300.");
});

/** One request that follows nothing. */
async function open(url: string, key: string) {
  const headers = { ...ASKING, Authorization: `Bearer ${key}` };
  const sent = request(url, { headers }).end();
  const answer: IncomingMessage = (await once(sent, "response"))[0];
  return { status: answer.statusCode, headers: answer.headers, body: await text(answer) };
}
