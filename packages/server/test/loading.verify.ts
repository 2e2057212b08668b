// What a command loads before it begins: never what only others need.
import { expect, test } from "vitest";
import { COMMANDS } from "../src/commands.ts";
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

const IMPORTING = ["/yauzl/"];
const ANSWERING = ["/ajv/", "/pino/", "/negotiator/"];

/** Which commands need them. The demo is imported, and may be served. */
const NEEDED: ReadonlyMap<string, readonly string[]> = new Map([
  ["import", IMPORTING],
  ["maps", IMPORTING],
  ["demo", [...IMPORTING, ...ANSWERING]],
  ["serve", ANSWERING],
]);

async function listLoaded(...args: readonly string[]): Promise<readonly string[]> {
  const { code, stderr } = await startCommand(args, { env: { NODE_OPTIONS } }).ended;
  expect(code).toBe(0);
  return stderr.split("\n");
}

test.each(COMMANDS.map(({ name }) => name))("%s", async (name) => {
  const loaded = await listLoaded(name, "--help");
  const isLoaded = (part: string) => loaded.some((url) => url.includes(part));
  expect([...IMPORTING, ...ANSWERING].filter(isLoaded)).toEqual(NEEDED.get(name) ?? []);
});
