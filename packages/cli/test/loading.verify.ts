// What a command loads before it begins: never what only another command needs.
import { expect, test } from "vitest";
import { COMMANDS } from "../src/commands.ts";
import { run } from "./support/program.ts";

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

async function listLoaded(command: string): Promise<readonly string[]> {
  const { code, stderr } = await run([command, "--help"], { NODE_OPTIONS });
  expect(code).toBe(0);
  return stderr.split("\n");
}

// Each is as large as all the rest.
const KIT = "/conformance/";
const PROTOCOL = "/@modelcontextprotocol/";
const CHECKING: ReadonlySet<string> = new Set(["check", "probe"]);

test.each(COMMANDS.map(({ name }) => name))("%s", async (name) => {
  const needsKit = CHECKING.has(name);
  const loaded = await listLoaded(name);
  expect(loaded.some((url) => url.endsWith(`/commands/${name}.ts`))).toBe(true);
  expect(loaded.some((url) => url.includes(KIT))).toBe(needsKit);
  expect(loaded.some((url) => url.includes(PROTOCOL))).toBe(name === "mcp");
});
