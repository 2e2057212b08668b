// Which versions of Node.js the program takes.
import { expect, test } from "vitest";
import { startCommand } from "./support/command.ts";

/** The variables of a process that takes its Node.js for another. */
function asOf(version: string) {
  const pretend = `Object.defineProperty(process, "versions", { value: { ...process.versions, node: "${version}" } });`;
  return { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(pretend)}` };
}

test.each(["8.17.0", "20.99.0", "22.15.99"])("%s is too old", async (version) => {
  expect((await startCommand(["--help"], { env: asOf(version) }).ended).code).toBe(1);
});

test.each(["22.16.0", "22.100.0", "100.0.0", "27.0.0-nightly20261101"])(
  "%s is new enough",
  async (version) => {
    expect((await startCommand(["--help"], { env: asOf(version) }).ended).code).toBe(0);
  },
);
