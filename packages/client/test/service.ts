// A service over real HTTP that answers as a test says and keeps what it was asked.
import type { ServerResponse } from "node:http";

import { onTestFinished } from "vitest";

import { type CallMediaClient, createClient } from "../src/index.ts";
import { type Asked, openServer } from "./support/http-server.ts";

export type { Asked } from "./support/http-server.ts";

type Answer = (response: ServerResponse, asked: Asked) => unknown;

export interface Service {
  readonly baseUrl: string;
  /** Every request but sign-ins, in order. */
  readonly asked: readonly Asked[];
  readonly signIns: readonly Asked[];
  /** A client that signs in with `credentials`, and does not wait before it tries again. */
  readonly client: CallMediaClient;
  /** Ends the service before the test does. */
  readonly close: () => Promise<void>;
}

/**
 * Whether the test runs in a browser's page, where those that need it are left out: a page has neither `process` nor
 * `Buffer`, and sees no events of the server, which runs in Node.js. Under Node.js all of them run.
 */
export const isPage = "document" in globalThis;

export const credentials = { secretID: "app-7", secretKey: "a-very-secret-key" };

/** Answers sign-ins with token-1, token-2 and so on, each good for an hour. */
export const hourlyTokens = (): Answer => {
  let count = 0;
  return (response) => {
    const expires = new Date(Date.now() + 3_600_000).toISOString();
    sendJson(response, 200, { access_token: `token-${++count}`, type: "Bearer", expires });
  };
};

export async function openService(answer: Answer, token = hourlyTokens()): Promise<Service> {
  const asked: Asked[] = [];
  const signIns: Asked[] = [];
  const { baseUrl, close } = await openServer(async (one, response) => {
    const isSignIn = one.url === "/Token";
    (isSignIn ? signIns : asked).push(one);
    await (isSignIn ? token : answer)(response, one);
  });
  onTestFinished(close);
  const client = createClient({ baseUrl, credentials, random: () => 0 });
  return { baseUrl, asked, signIns, client, close };
}

/** The Authorization header of a request. */
export const bearerOf = ({ headers }: Asked) => headers.authorization;

/** Headers that were set on `response` before are sent as well. */
export function sendJson(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { "Content-Type": "application/json" });
  response.end(JSON.stringify(body));
}

export function sendSuccess(response: ServerResponse, data: unknown = []): void {
  sendJson(response, 200, { isError: false, errorMessage: null, data });
}

export function sendFailure(response: ServerResponse, status: number, errorMessage: string): void {
  sendJson(response, status, { isError: true, errorMessage, data: [] });
}

/** Everything that `items` gives. */
export async function listOf<T>(items: AsyncIterable<T>): Promise<T[]> {
  const list: T[] = [];
  for await (const item of items) list.push(item);
  return list;
}

/** What `promise` fails with. A promise that is kept fails the test. */
export async function failureOf(promise: Promise<unknown>): Promise<unknown> {
  const [settled] = await Promise.allSettled([promise]);
  if (settled.status === "fulfilled") throw new Error("The call succeeded");
  return settled.reason;
}
