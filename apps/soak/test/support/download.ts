// A recording on its way, over a connection of its own.
import { get, type IncomingMessage } from "node:http";

export interface Download {
  /** The identifier of the response; "" until it arrives. */
  readonly requestId: string;
  readonly bytes: number;
  /** Resolves at its end, or its cut. */
  readonly ended: Promise<void>;
}

/** Begins to read at once. */
export function startDownload(url: string, bearer: string): Download {
  const state = { requestId: "", bytes: 0 };
  const headers = { Authorization: `Bearer ${bearer}` };
  const ended = new Promise<void>((resolve) => {
    const request = get(url, { headers, agent: false });
    // A connection that is cut is what the test is about.
    request.on("error", () => resolve());
    request.on("response", (response: IncomingMessage) => {
      state.requestId = String(response.headers["x-request-id"]);
      response.on("data", (chunk: Buffer) => (state.bytes += chunk.length));
      response.on("error", () => {});
      response.on("close", resolve);
    });
  });
  return {
    get requestId() {
      return state.requestId;
    },
    get bytes() {
      return state.bytes;
    },
    ended,
  };
}
