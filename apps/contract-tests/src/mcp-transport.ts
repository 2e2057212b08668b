// Connects the protocol's own client to `call-media mcp` in the process of a test.
import { createInterface } from "node:readline";
import { startCallMedia } from "@call-media/test-setup/call-media";
import type { Transport } from "@modelcontextprotocol/client";

/** Starts it with only these variables. */
export function startMcp(args: readonly string[], variables: NodeJS.ProcessEnv): Transport {
  const env = { HOME: "/nonexistent", ...variables };
  const { child, ended } = startCallMedia(["mcp", ...args], { env });
  const transport: Transport = {
    start: async () => {
      createInterface(child.stdout).on("line", (line) => transport.onmessage?.(JSON.parse(line)));
    },
    send: async (message) => void child.stdin.write(`${JSON.stringify(message)}\n`),
    close: async () => {
      child.stdin.end();
      await ended;
      transport.onclose?.();
    },
  };
  return transport;
}
