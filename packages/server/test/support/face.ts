// The face of an answer: every byte of it that could tell a caller something, as it came over the wire.
import { Agent, type IncomingMessage, request as httpRequest } from "node:http";
import { buffer } from "node:stream/consumers";
import type { UserRecord } from "@call-media/store";
import { expect } from "vitest";
import { createApiKey, createApplication } from "../../src/index.ts";
import type { TestService } from "./service.ts";

export interface Sent {
  readonly method: "GET" | "HEAD" | "POST";
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

/** A bearer for `user`: an API key, or for the first three the token of an application, if they are active (D20). */
export async function signIn({ store, baseUrl }: TestService, user: UserRecord): Promise<string> {
  const { apiKey } = await createApiKey(store, user.id);
  if (user.id > 3) return apiKey;
  const body = await createApplication(store, user.id);
  const face = await ask(baseUrl, "", { method: "POST", path: "/Token", body });
  const isActive = user.status === 1;
  expect(face.status).toBe(isActive ? 200 : 401);
  return isActive ? JSON.parse(String(face.body)).access_token : apiKey;
}

/** All that a caller gets to see of an answer but what differs on every one, in the order and spelling of the wire. */
export interface Face {
  readonly status: number | undefined;
  readonly headers: readonly string[];
  readonly body: Buffer;
}

const agent = new Agent({ keepAlive: true });
const ALWAYS_NEW = new Set(["X-Request-Id", "Date"]);

export async function ask(
  baseUrl: string,
  key: string,
  { method, path, headers, body }: Sent,
): Promise<Face> {
  const { hostname: host, port } = new URL(baseUrl);
  const json = body === undefined ? undefined : JSON.stringify(body);
  const type = json === undefined ? {} : { "Content-Type": "application/json" };
  const response = await new Promise<IncomingMessage>((resolve, reject) =>
    httpRequest(
      {
        host,
        port,
        method,
        path,
        agent,
        headers: { Authorization: `Bearer ${key}`, ...type, ...headers },
      },
      resolve,
    )
      .on("error", reject)
      .end(json),
  );
  const lines = response.rawHeaders.flatMap((name, at, all) =>
    at % 2 === 0 && !ALWAYS_NEW.has(name) ? `${name}: ${all[at + 1]}` : [],
  );
  return { status: response.statusCode, headers: lines, body: await buffer(response) };
}

/** The value of a header as it went over the wire. */
export function headerOf({ headers }: Face, name: string): string | undefined {
  return headers.find((line) => line.startsWith(`${name}: `))?.slice(name.length + 2);
}

/** As text, so that a difference can be read. */
export function toText({ status, headers, body }: Face): string {
  return [status, ...headers, "", body.toString("latin1")].join("\n");
}

/** The same of an answer to `fetch`, which tells less of its form. */
export async function toFace(response: Response) {
  const headers = [...response.headers].filter(
    ([name]) => !["x-request-id", "date"].includes(name),
  );
  return { status: response.status, headers, body: await response.text() };
}
