// On a Node.js that is too old, the program says so in one line, whatever it is asked.
import { expect, test } from "vitest";
import { run } from "./support/program.ts";

const OLD =
  'Object.defineProperty(process, "versions", { value: { ...process.versions, node: "22.9.0" } })';

test.each(["--help", "whoami"])("%s: one line says which Node.js it needs", async (command) => {
  const NODE_OPTIONS = `--import=data:text/javascript,${encodeURIComponent(OLD)}`;
  expect(await run([command], { NODE_OPTIONS })).toEqual({
    code: 2,
    stdout: "",
    stderr: expect.stringMatching(
      /^call-media: needs Node\.js 22\.\d\d or newer; this is Node\.js 22\.9\.0\n$/,
    ),
  });
});
