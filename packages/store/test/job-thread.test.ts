// A thread for jobs: whose answer is whose, and when it has ended.
import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import type { Worker } from "node:worker_threads";
import { expect, test } from "vitest";
import { createJobThread, type JobThread } from "../src/sqlite/job-thread.ts";

const DYING = new URL("support/dying-thread.ts", import.meta.url);
const CLOSING = fileURLToPath(new URL("support/close-while-busy.ts", import.meta.url));

test("jobs that a dead thread has not answered are rejected, and the next one starts another", async () => {
  const thread = createDying();

  for (let deaths = 0; deaths < 2; deaths += 1) {
    const [answered, cut] = [thread.run("one"), thread.run("two")];
    await expect(cut).rejects.toThrow("died of one");
    expect(await answered).toBe("one");
  }
});

test("an answer that comes after the error of its thread is that of its job, not of the next thread's", async () => {
  const thread = createDying();
  const { answer: late, worker } = await runFirst(thread, "one");
  worker.emit("error", new Error("told before the answer"));
  const next = thread.run("two");

  expect(await Promise.all([late, next])).toEqual(["one", "two"]);
});

test.each(["close", "stop"] as const)(
  "%s waits for the end of a thread that dies of an error, and of the one after it",
  async (end) => {
    const thread = createDying();
    const exits: string[] = [];
    const first = await runFirst(thread, "one");
    first.worker.on("exit", () => exits.push("first"));
    await new Promise((resolve) => void first.worker.on("error", resolve));
    const second = await runFirst(thread, "two");
    second.worker.on("exit", () => exits.push("second"));
    await second.answer;
    await thread[end]();

    expect(exits.toSorted()).toEqual(["first", "second"]);
  },
);

test("a process that closes a busy thread lives until the thread has ended", () => {
  expect(execFileSync(process.execPath, [CLOSING], { encoding: "utf8" })).toBe("last\n");
});

function createDying() {
  return createJobThread<string, string>(DYING, {});
}

/** The answer to a job that starts a thread, and the thread. */
async function runFirst(thread: JobThread<string, string>, job: string) {
  const start = once(process, "worker") as Promise<[Worker]>; // so the event is documented
  const answer = thread.run(job);
  const [worker] = await start;
  return { answer, worker };
}
