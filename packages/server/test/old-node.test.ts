// On a Node.js that is too old, the program says so in one line, and not what that Node.js lacks.
import { expect, test } from "vitest";
import { startCommand } from "./support/command.ts";

// Node.js as it was at version 20, as far as the program meets it: without node:sqlite.
const WITHOUT_SQLITE = `
import { registerHooks } from "node:module";
registerHooks({
  resolve(name, context, next) {
    if (name === "node:sqlite") throw new Error("No such built-in module: node:sqlite");
    return next(name, context);
  },
});`;

/** The variables of a process that takes its Node.js for another, and runs `script` as well. */
function asOf(version: string, script: string) {
  const pretend = `Object.defineProperty(process, "versions", { value: { ...process.versions, node: "${version}" } });`;
  return { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(pretend + script)}` };
}

test("one line says which Node.js it needs", async () => {
  const env = asOf("20.20.2", WITHOUT_SQLITE);
  expect(await startCommand(["demo", "--data", "/nonexistent"], { env }).ended).toEqual({
    code: 1,
    stdout: "",
    stderr: expect.stringMatching(
      /^call-media-server: needs Node\.js 22[.\d]* or newer; this is Node\.js 20\.20\.2\n$/,
    ),
  });
});
