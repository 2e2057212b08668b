// The log of a service that is a process of its own.
import { expect, test } from "vitest";
import { startProgram } from "./support/program.ts";
import { startTestService } from "./support/service.ts";

test("no line of a request is lost when the program stops", async () => {
  await using archive = await startTestService();
  await using program = await startProgram(archive.directory);
  const ask = async () => (await fetch(`${program.baseUrl}/openapi.json`)).arrayBuffer();
  for (let n = 0; n < 20; n += 1) await Promise.all(Array.from({ length: 10 }, ask));
  expect(await program.stop()).toBe(0);
  expect(program.log().filter(({ msg }) => msg === "request")).toHaveLength(200);
  expect(program.log().at(-1)?.["msg"]).toBe("stopped");
});
