// A search that the store gives up is a 503 that says why, and no more than that one is lost.
import type { Worker } from "node:worker_threads";
import { expect, onTestFinished, test } from "vitest";
import { ALLOWED_ALL, bodyOf, startTestService, toCall } from "./support/service.ts";

test("a search whose thread dies is refused, and the next is answered", async () => {
  const service = await startTestService();
  onTestFinished(() => service[Symbol.asyncDispose]());
  await service.add(toCall({ call_id: "c1", agent: "ann", datetime: "2026-05-01T10:00:00Z" }));
  // Such rights are asked for in a thread.
  const { key } = await service.addUser({
    ...ALLOWED_ALL,
    allow_all_agents: false,
    allowed_agents: ["ann"],
  });
  const search = () =>
    service.post("/metadata/search?startDate=2026-05-01&endDate=2026-05-01&pageIndex=0", key, {
      agent: "ann",
    });

  process.once("worker", (thread: Worker) => void thread.terminate());
  const refused = await search();

  expect(refused.status).toBe(503);
  expect(refused.headers.get("Retry-After")).toBe("5");
  expect(await bodyOf(refused)).toMatchObject({
    isError: true,
    errorMessage: "The search was cut short; try again",
  });
  expect(service.failures).toEqual([expect.objectContaining({ name: "ThreadEnded" })]);
  expect((await bodyOf(await search())).data).toMatchObject([{ call_id: "c1" }]);
});
