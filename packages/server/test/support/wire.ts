// An answer as it comes over the wire: the order and the spelling of its headers, and every byte of its body.
import { Agent, type IncomingMessage, request as httpRequest } from "node:http";
import { buffer } from "node:stream/consumers";
import { type Face, type Sent, toLines } from "../../../service/test/support/face.ts";

const agent = new Agent({ keepAlive: true });

/** With this bearer; "" is none. */
export async function ask(
  baseUrl: string,
  bearer: string,
  { method, path, headers, body }: Sent,
): Promise<Face> {
  const { hostname: host, port } = new URL(baseUrl);
  const json = body === undefined ? undefined : JSON.stringify(body);
  const from = bearer === "" ? {} : { Authorization: `Bearer ${bearer}` };
  const type = json === undefined ? {} : { "Content-Type": "application/json" };
  const asked = { host, port, method, path, agent, headers: { ...from, ...type, ...headers } };
  const response = await new Promise<IncomingMessage>((resolve, reject) =>
    httpRequest(asked, resolve).on("error", reject).end(json),
  );
  const { statusCode: status, rawHeaders } = response;
  const named = rawHeaders.flatMap((name, at) =>
    at % 2 === 0 ? [[name, rawHeaders[at + 1]] as const] : [],
  );
  return { status, headers: toLines(named), body: await buffer(response) };
}
