// The service as a process of its own, and what it answers.
import { setTimeout } from "node:timers/promises";
import { expect } from "vitest";
import type { Program } from "./process.ts";
import { startProgram } from "./program.ts";

export interface Serving extends Program {
  readonly baseUrl: string;
  /** SIGTERM, and what it ended with. */
  readonly stop: Program["kill"];
}

export interface Reply {
  readonly status: number;
  readonly requestId: string;
  readonly body: Buffer;
}

/** `call-media-server serve` on a free port of this machine, with further options. */
export async function startServing(
  directory: string,
  args: readonly string[] = [],
): Promise<Serving> {
  const program = startProgram(["serve", "--data", directory, "--port", "0", ...args]);
  const baseUrl = await new Promise<string>((resolve, reject) => {
    let said = "";
    program.child.stdout?.on("data", (chunk: Buffer) => {
      said += chunk.toString();
      const [, url] = /at (https?:\S+),/.exec(said) ?? [];
      if (url !== undefined) resolve(url);
    });
    void program.ended.then(({ stderr }) => reject(new Error(`serve ended: ${stderr}`)));
  });
  const stop = () => {
    program.child.kill("SIGTERM");
    return program.ended;
  };
  return { ...program, baseUrl, stop };
}

/** GET, or POST with a body. */
export async function ask(
  url: string,
  { bearer, json }: { bearer?: string; json?: object } = {},
): Promise<Reply> {
  const headers = {
    ...(bearer !== undefined && { Authorization: `Bearer ${bearer}` }),
    ...(json !== undefined && { "Content-Type": "application/json" }),
  };
  const response = await fetch(url, {
    headers,
    ...(json !== undefined && { method: "POST", body: JSON.stringify(json) }),
  });
  return {
    status: response.status,
    requestId: response.headers.get("X-Request-Id") ?? "",
    body: Buffer.from(await response.arrayBuffer()),
  };
}

/** Fails unless it is a refusal of this status, in the envelope. */
export function expectRefused({ body, ...reply }: Reply, status: number): void {
  expect({ ...reply, ...JSON.parse(body.toString()) }).toEqual({
    status,
    requestId: expect.stringMatching(/./),
    isError: true,
    errorMessage: expect.stringMatching(/./),
    data: [],
  });
}

// Far beyond what a busy machine needs.
const GIVE_UP_MS = 30_000;

/** Asks again and again until the answer is this one; throws what it was last. */
export async function untilStatus(read: () => Promise<Reply>, status: number): Promise<void> {
  for (const endMs = Date.now() + GIVE_UP_MS; ;) {
    const reply = await read();
    if (reply.status === status) return;
    if (Date.now() > endMs) throw new Error(`still ${reply.status}, not ${status}`);
    await setTimeout(20);
  }
}
