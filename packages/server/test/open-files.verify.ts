// A service that may have few files open: it warns, and does not take a lack of them for damage.
import { once } from "node:events";
import { Agent, request } from "node:http";
import { text } from "node:stream/consumers";
import { expect, onTestFinished, test } from "vitest";
import { createApiKey } from "../src/index.ts";
import { startProgram } from "./support/program.ts";
import { openRaw } from "./support/raw.ts";
import { ALLOWED_ALL, addMedia, startTestService, toCall } from "./support/service.ts";

// What the program itself needs, and a few connections.
const FEW = 64;

test.runIf(process.platform === "linux")("out of files is said as that", async () => {
  const archive = await startTestService();
  onTestFinished(() => archive[Symbol.asyncDispose]());
  const { user } = await archive.addUser(ALLOWED_ALL);
  const sound = await addMedia(archive.store, "a.wav", Buffer.from("sound"));
  await archive.add(toCall({ call_id: "a", datetime: "2026-01-05T10:00:00Z" }, [sound]));
  const { apiKey } = await createApiKey(archive.store, user.id);
  const program = await startProgram(archive.directory, [], {}, FEW);
  await expect.poll(program.log).toContainEqual(
    expect.objectContaining({
      level: "warn",
      limit: FEW,
      msg: expect.stringMatching(/LimitNOFILE/),
    }),
  );

  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const get = async (path: string) => {
    const headers = { Authorization: `Bearer ${apiKey}` };
    const [response] = await once(
      request(`${program.baseUrl}${path}`, { agent, headers }).end(),
      "response",
    );
    return { status: response.statusCode, body: await text(response) };
  };
  const recording = "/recording/stream-by-call-id/a";
  expect(await get(recording)).toEqual({ status: 200, body: "sound" });
  // The system closes what it has no file for.
  const others = [openRaw(program.baseUrl)];
  while (!others.some(({ socket }) => socket.closed)) {
    others.push(openRaw(program.baseUrl));
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  expect((await get(recording)).status).toBe(503);
  await expect.poll(program.log).toContainEqual(
    expect.objectContaining({
      status: 503,
      err: expect.objectContaining({
        message: expect.stringMatching(/^too many files are open: raise/),
      }),
    }),
  );
  for (const { socket } of others) socket.destroy();
  await expect.poll(async () => (await get(recording)).status).toBe(200);
  agent.destroy();
});
