// The face of an answer: every byte of it that could tell a caller something, in the order and spelling in which it goes out.
import type { ArchiveItem, CallStore, UserRecord } from "@call-media/store";
import { expect } from "vitest";
import { createApplication, issueKey } from "./records.ts";

export interface Sent {
  readonly method: "GET" | "HEAD" | "POST";
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

/** All that a caller gets to see of an answer but what differs on every one. */
export interface Face {
  readonly status: number | undefined;
  /** `Name: value` */
  readonly headers: readonly string[];
  readonly body: Buffer;
}

/** A service whose answers are looked at whole, by whatever way they come. */
export interface FacedService extends AsyncDisposable {
  readonly store: CallStore;
  readonly add: (...items: readonly ArchiveItem[]) => Promise<void>;
  /** What the service reported to its operator. */
  readonly failures: readonly unknown[];
  /** The answer to a request with this bearer; "" is none. */
  readonly face: (bearer: string, sent: Sent) => Promise<Face>;
}

/** A bearer for `user`: an API key, or for the first three the token of an application, if they are active (D20). */
export async function signIn({ store, face }: FacedService, user: UserRecord): Promise<string> {
  const { apiKey } = await issueKey(store, user.id);
  if (user.id > 3) return apiKey;
  const application = await createApplication(store, user.id);
  const { status, body } = await face("", { method: "POST", path: "/Token", body: application });
  const isActive = user.status === 1;
  expect(status).toBe(isActive ? 200 : 401);
  return isActive ? JSON.parse(String(body)).access_token : apiKey;
}

const ALWAYS_NEW = new Set(["X-Request-Id", "Date"]);

/** The headers of a face, of names and values. */
export const toLines = (headers: readonly (readonly [name: string, value: unknown])[]): string[] =>
  headers.flatMap(([name, value]) => (ALWAYS_NEW.has(name) ? [] : `${name}: ${String(value)}`));

/** The value of a header as it goes out. */
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
