// The examples run, each as a program of its own.
import { expect, test } from "vitest";

import { CHOSEN, PRINTED, runExample } from "./support/examples.ts";

const others = Object.entries(PRINTED).filter(([name]) => !CHOSEN.includes(name));

test.concurrent.each(others)("%s", async (name, printed) => {
  const { stdout, stderr } = await runExample(name);
  expect(stderr).toBe("");
  expect(stdout).toMatch(printed);
});
