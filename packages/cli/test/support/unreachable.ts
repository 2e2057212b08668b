// What a command says of an address, and addresses at which nobody is.
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo, Server } from "node:net";
import { run } from "./program.ts";

export const listFlags = (baseUrl: string, variables: NodeJS.ProcessEnv = {}) =>
  run(["flags"], { CALL_MEDIA_BASE_URL: baseUrl, CALL_MEDIA_API_KEY: "a-key", ...variables });

export const nothing: RequestListener = (_, response) => void response.writeHead(404).end();

export async function listen(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return (server.address() as AddressInfo).port; // it listens on TCP
}

export async function findClosedPort(): Promise<number> {
  const server = createServer(nothing);
  const port = await listen(server);
  await new Promise((resolve) => server.close(resolve));
  return port;
}
