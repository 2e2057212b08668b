// A recording that a client has begun to receive and then stops reading, over a socket of its own.
import { get as httpGet, type IncomingMessage } from "node:http";
import { once } from "node:events";
import type { Served } from "./service.ts";

export interface Download {
  /** Goes on to the end or the cut. */
  readRest(): Promise<{ isWhole: boolean }>;
  /** The client goes away: its end of the connection is gone at once. */
  abandon(): void;
}

/** Resolves when the first bytes have come; no more is read until `readRest`. */
export async function openDownload(
  { baseUrl }: Pick<Served, "baseUrl">,
  path: string,
  key: string,
): Promise<Download> {
  const headers = { Authorization: `Bearer ${key}` };
  const request = httpGet(`${baseUrl}${path}`, { headers, agent: false });
  const [response] = (await once(request, "response")) as [IncomingMessage];
  await once(response, "readable");
  return {
    readRest: () =>
      new Promise((resolve) => {
        response.on("error", () => {}); // a cut: told by `isWhole`
        response.on("close", () => resolve({ isWhole: response.complete }));
        response.resume();
      }),
    abandon: () => {
      response.on("error", () => {});
      request.destroy();
    },
  };
}
