// A fault of the program itself: it ends, and says why in one line; what it has promised by then is kept.
import { expect, test } from "vitest";
import { startProgram } from "./support/program.ts";
import { ALLOWED_ALL, startTestService } from "./support/service.ts";

/** Runs the code inside the program at SIGUSR2. */
function withFault(code: string): NodeJS.ProcessEnv {
  const module = `process.on("SIGUSR2", () => { ${code} })`;
  return { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(module)}` };
}

test.each([["an exception that nobody catches", 'throw new TypeError("a fault")']])(
  "%s ends it with 1, one line, and every row of the access log",
  async (_what, code) => {
    await using archive = await startTestService();
    const { key } = await archive.addUser(ALLOWED_ALL);
    await using program = await startProgram(archive.directory, [], withFault(code));
    const headers = { Authorization: `Bearer ${key}` };
    for (let n = 0; n < 20; n += 1)
      expect((await fetch(`${program.baseUrl}/flags/public`, { headers })).status).toBe(200);
    program.signal("SIGUSR2");

    expect(await program.ended).toEqual({ code: 1, signal: null });
    const told = program.log().filter(({ msg }) => msg !== "request");
    expect(told).toMatchObject([
      { msg: "started" },
      { level: "error", msg: "failed", err: { type: "TypeError", message: "a fault" } },
      { msg: "stopped" },
    ]);
    expect(program.log()).toHaveLength(20 + told.length);
    const rows = [];
    for await (const row of archive.store.accessLog.read({})) rows.push(row);
    expect(rows.filter(({ operation }) => operation === "listPublicFlags")).toHaveLength(20);
  },
);
