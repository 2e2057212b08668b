// On a Node.js that is too old, the program says so in one line, whatever it is asked.
import { expect, test } from "vitest";
import { run } from "./support/program.ts";

/** The variables of a process that takes its Node.js for another. */
function asOf(version: string) {
  const script = `Object.defineProperty(process, "versions", { value: { ...process.versions, node: "${version}" } })`;
  return { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(script)}` };
}

test.each(["--help", "whoami"])("%s: one line says which Node.js it needs", async (command) => {
  expect(await run([command], asOf("22.9.0"))).toEqual({
    code: 2,
    stdout: "",
    stderr: expect.stringMatching(
      /^call-media: needs Node\.js 22\.\d\d or newer; this is Node\.js 22\.9\.0\n$/,
    ),
  });
});

test.each(["8.17.0", "20.99.0", "22.15.99"])("%s is too old", async (version) => {
  expect((await run(["--version"], asOf(version))).code).toBe(2);
});

test.each(["22.16.0", "22.100.0", "100.0.0", "27.0.0-nightly20261101"])(
  "%s is new enough",
  async (version) => {
    expect((await run(["--version"], asOf(version))).code).toBe(0);
  },
);
