// A thread for jobs: what it keeps of what Node.js compiles, and when it has ended.
import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import type { Worker } from "node:worker_threads";
import { expect, onTestFinished, test } from "vitest";
import { createJobThread } from "../src/sqlite/job-thread.ts";
import { createFolder } from "./support/archives.ts";

const PROGRAM = fileURLToPath(new URL("support/search-compiled.ts", import.meta.url));

test("threads keep what is compiled of them where the process does", async () => {
  const { NODE_COMPILE_CACHE: _none, ...env } = process.env;
  const args = [PROGRAM, await createFolder(), await createFolder()];

  expect(Number(execFileSync(process.execPath, args, { env, encoding: "utf8" }))).toBeGreaterThan(
    0,
  );
});

test.each(["close", "stop"] as const)(
  "%s waits for the end of a thread that dies of an error, and of the one after it",
  async (end) => {
    const exits: string[] = [];
    const watch = (worker: Worker) => void worker.on("exit", () => exits.push("exit"));
    process.on("worker", watch);
    onTestFinished(() => void process.off("worker", watch));
    const thread = createJobThread<string, string>("../../test/support/dying-thread", {});

    for (const died of [1, 2]) {
      const waiting = [thread.run("one"), thread.run("two")];
      await expect(Promise.all(waiting)).rejects.toThrow("died of one");
      if (died === 2) await thread[end]();
    }
    expect(exits).toEqual(["exit", "exit"]);
  },
);
