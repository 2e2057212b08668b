// A tool of `call-media mcp` asked as the protocol has it: a message of JSON on a line. The library's client is for apps/.
import { start } from "./program.ts";

interface Answer {
  readonly isError?: boolean;
  readonly content: readonly { readonly text: string }[];
}

/** What the tool answers. */
export async function askTool(
  variables: NodeJS.ProcessEnv,
  name: string,
  args: object,
): Promise<Answer> {
  const { child, ended } = start(["mcp"], variables);
  const send = (message: object) =>
    child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
  const answered = new Promise<Answer>((resolve, reject) => {
    let text = "";
    child.stdout.on("data", (chunk: Buffer) => {
      text += chunk.toString();
      const lines = text.split("\n").slice(0, -1);
      const messages = lines.map((line): { id?: number; result?: Answer } => JSON.parse(line));
      const answer = messages.find(({ id }) => id === 2)?.result;
      if (answer !== undefined) resolve(answer);
    });
    void ended.then(() => reject(new Error("it ended without an answer")));
  });
  const client = { clientInfo: { name: "test", version: "1" }, capabilities: {} };
  send({ id: 1, method: "initialize", params: { protocolVersion: "2025-06-18", ...client } });
  send({ method: "notifications/initialized" });
  send({ id: 2, method: "tools/call", params: { name, arguments: args } });
  return await answered.finally(async () => {
    child.stdin.end();
    await ended;
  });
}
