// Many downloads of one recording at once, each over a connection of its own.
import { Agent as PlainAgent, type ClientRequest, get as getPlain } from "node:http";
import { Agent, get } from "node:https";
import type { TLSSocket } from "node:tls";

export const DOWNLOADS = 32;

/** The only one that is offered, so that all servers encrypt alike. */
export const CIPHER = "TLS_AES_256_GCM_SHA384";

export interface Download {
  readonly url: string;
  readonly authorization: string;
  /** PEM: whom to trust. */
  readonly ca: string;
  /** Bytes beyond this are not read: the connection is cut. */
  readonly maxBytes: number;
}

/** Resolves to the bytes of bodies that came. Throws for an answer that is not 200, and for one that is cut short. */
export async function downloadAtOnce(download: Download): Promise<number> {
  const received = await Promise.all(Array.from({ length: DOWNLOADS }, () => take(download)));
  return received.reduce((total, bytes) => total + bytes, 0);
}

function take({ url, authorization, ca, maxBytes }: Download): Promise<number> {
  const headers = { authorization };
  const request = url.startsWith("https:")
    ? get(url, { headers, ca, ciphers: CIPHER, minVersion: "TLSv1.3", agent: new Agent() })
    : getPlain(url, { headers, agent: new PlainAgent() });
  return receive(request, maxBytes);
}

function receive(request: ClientRequest, maxBytes: number): Promise<number> {
  return new Promise((resolve, reject) => {
    let received = 0;
    request.on("error", reject);
    request.on("response", (response) => {
      const { statusCode, socket } = response;
      if (statusCode !== 200) reject(new Error(`${request.path}: ${statusCode}`));
      const cipher = "getCipher" in socket ? (socket as TLSSocket).getCipher().name : CIPHER;
      if (cipher !== CIPHER) reject(new Error(`${cipher} was agreed upon`));
      response.on("error", reject);
      response.on("data", (chunk: Buffer) => {
        received += chunk.length;
        if (received < maxBytes) return;
        resolve(received);
        request.destroy();
      });
      response.on("end", () => {
        resolve(received);
        request.destroy();
      });
    });
  });
}
