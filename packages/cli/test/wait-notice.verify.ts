// The notices on a terminal while a service responds slowly; other outputs have none.
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { run } from "./support/program.ts";
import { hasTerminal, runInTerminal } from "./support/terminal.ts";

/** Longer than the delay before the notice on a terminal. */
const SILENT_MS = 7_000;

/** A service that is busy at first, after a silence, and answers when it is asked again. */
async function startBusy(silentMs: number) {
  let asked = 0;
  const server = createServer((_, response) => {
    if (++asked === 1)
      return void setTimeout(() => response.writeHead(503, { "Retry-After": "2" }).end(), silentMs);
    return response
      .writeHead(200, { "Content-Type": "application/json" })
      .end('{"isError":false,"errorMessage":null,"data":[]}');
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => server.close().closeAllConnections());
  const { port } = server.address() as AddressInfo; // it listens on TCP
  const CALL_MEDIA_BASE_URL = `http://127.0.0.1:${port}`;
  return { variables: { CALL_MEDIA_BASE_URL, CALL_MEDIA_API_KEY: "a-key" }, port };
}

test.skipIf(!hasTerminal)(
  "a terminal shows which service is awaited, and the time of the retry",
  async () => {
    const { variables, port } = await startBusy(SILENT_MS);
    const { code, shown } = await runInTerminal(["flags"], variables, []);
    expect(shown).toContain(`waiting for 127.0.0.1:${port} ...`);
    expect(shown).toMatch(/GET \/flags\/public was answered 503: asking again in 2 s\r\n/);
    expect(code).toBe(0);
  },
);

test("outside a terminal no notice is printed", async () => {
  const { variables } = await startBusy(0);
  expect(await run(["flags", "--json"], variables)).toEqual({
    code: 0,
    stdout: "[]\n",
    stderr: "",
  });
});
