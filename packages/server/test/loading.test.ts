// What a command loads before it begins: never what only others need.
import { expect, test } from "vitest";
import { startCommand } from "./support/command.ts";

// Tells the names of all modules as they are loaded, on standard error.
const TRACE = `
import { registerHooks } from "node:module";
registerHooks({
  load(url, context, next) {
    process.stderr.write(url + "\\n");
    return next(url, context);
  },
});`;
const NODE_OPTIONS = `--import=data:text/javascript,${encodeURIComponent(TRACE)}`;

async function listLoaded(...args: readonly string[]): Promise<readonly string[]> {
  const { code, stderr } = await startCommand(args, { env: { NODE_OPTIONS } }).ended;
  expect(code).toBe(0);
  return stderr.split("\n");
}

test("help of the program: no command", async () => {
  const loaded = await listLoaded("--help");
  expect(loaded.filter((url) => url.includes("/store/"))).toEqual([]);
});
