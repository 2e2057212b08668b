// Requests as bytes, to a service with one call, and how the refusal of one must look.
import { expect } from "vitest";
import { parseAnswer, sendRaw } from "./raw.ts";
import { ALLOWED_ALL, addMedia, type Served, startInMemory, toCall } from "./service.ts";

export const H = "Host: x\r\nConnection: close\r\n";
export const HTTP = " HTTP/1.1\r\n";

type Answer = ReturnType<typeof parseAnswer>;

export interface Edge extends AsyncDisposable {
  readonly service: Served;
  /** An API key that may do everything. */
  readonly key: string;
  readonly send: (text: string) => Promise<Answer>;
}

/** Its call has `x` as call_id and ref_id. */
export async function startEdge(): Promise<Edge> {
  const service = await startInMemory();
  const { key } = await service.addUser(ALLOWED_ALL);
  const recording = await addMedia(service.store, "a.wav", Buffer.from("sound"));
  await service.add(
    toCall({ call_id: "x", ref_id: "x", datetime: "2026-01-05T10:00:00Z" }, [recording]),
  );
  return {
    service,
    key,
    send: async (text) => parseAnswer(await sendRaw(service.baseUrl, text)),
    [Symbol.asyncDispose]: () => service[Symbol.asyncDispose](),
  };
}

export async function expectRefused(
  asked: Promise<Answer>,
  status: number,
  message: string,
): Promise<Answer> {
  const answer = await asked;
  expect(answer.status).toBe(status);
  expect(JSON.parse(answer.body)).toEqual({ isError: true, errorMessage: message, data: [] });
  expect(answer.headers).toMatchObject({
    "content-type": "application/json; charset=utf-8",
    "cache-control": "no-store",
    "content-length": String(answer.body.length),
    "x-content-type-options": "nosniff",
  });
  expect(answer.headers["x-error-code"]).toMatch(/^CM(_[A-Z]+)+$/);
  expect(answer.headers["x-request-id"]).toMatch(/^[\da-f-]{36}$/);
  return answer;
}
