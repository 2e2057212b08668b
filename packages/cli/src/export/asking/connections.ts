// Connections of node:http that read into memory of their own, each time into the same. By itself Node.js reads 64 KB at most,
// into memory that is new each time: an export would take a sixth more CPU time.
import {
  Agent as HttpAgent,
  type ClientRequest,
  type ClientRequestArgs,
  globalAgent as httpAgent,
  request as requestHttp,
} from "node:http";
import {
  Agent as HttpsAgent,
  globalAgent as httpsAgent,
  request as requestHttps,
} from "node:https";
import type { SocketConstructorOpts } from "node:net";
import { isBelowLocalhost, lookupLoopback } from "@call-media/client/node";

const READ_BYTES = 262_144;

/** As the connections of node:http that all of a process shares. */
const KEPT = { keepAlive: true, timeout: 5_000 };

// With a proxy (NODE_USE_ENV_PROXY) Node.js itself reads first, what the proxy says.
const isProxied = httpsAgent.options.proxyEnv !== undefined;
const http = isProxied ? httpAgent : readIntoOwnMemory(new HttpAgent(KEPT));
const https = isProxied ? httpsAgent : readIntoOwnMemory(new HttpsAgent(KEPT));

let directHttp: HttpAgent | undefined;
let directHttps: HttpsAgent | undefined;

/** A request that is to be ended. Connections are kept, and shared with all of the process. */
export function openRequest(url: string, method: string): ClientRequest {
  const isHttps = url.startsWith("https:");
  if (!isBelowLocalhost(url))
    return isHttps
      ? requestHttps(url, { method, agent: https })
      : requestHttp(url, { method, agent: http });
  // This machine (RFC 6761, 6.3): neither DNS nor a proxy is asked who it is.
  const direct = { method, lookup: lookupLoopback };
  return isHttps
    ? requestHttps(url, { ...direct, agent: (directHttps ??= new HttpsAgent(KEPT)) })
    : requestHttp(url, { ...direct, agent: (directHttp ??= new HttpAgent(KEPT)) });
}

function readIntoOwnMemory<Agent extends HttpAgent>(agent: Agent): Agent {
  const connect = agent.createConnection.bind(agent);
  agent.createConnection = (options) => {
    const reading: ClientRequestArgs & Pick<SocketConstructorOpts, "onread"> = {
      ...options,
      onread: {
        buffer: Buffer.allocUnsafeSlow(READ_BYTES),
        // node:http listens for `data`, and copies what is of a body.
        callback: (bytes, buffer) => connection?.emit("data", buffer.subarray(0, bytes)) ?? true,
      },
    };
    const connection = connect(reading);
    return connection;
  };
  return agent;
}
