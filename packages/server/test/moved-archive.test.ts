// An archive that is moved away, or replaced, while it is served: the service says that it is not ready, and why.
import { cp, rename, rm } from "node:fs/promises";
import { expect, test } from "vitest";
import { startServing } from "./support/program.ts";
import { startTestService } from "./support/service.ts";

test("the service is not ready until its archive is back", async () => {
  await using archive = await startTestService();
  const { directory } = archive;
  await using program = await startServing(directory);
  const ready = async () => (await fetch(`${program.baseUrl}/readyz`)).status;
  expect(await ready()).toBe(200);

  const away = `${directory}-away`;
  await rename(directory, away);
  await expect.poll(ready).toBe(503);
  await cp(away, directory, { recursive: true });
  await expect.poll(() => program.log().some(({ msg }) => msg === "not ready")).toBe(true);
  expect(await ready()).toBe(503);
  await rm(directory, { recursive: true });
  await rename(away, directory);
  await expect.poll(ready).toBe(200);

  expect(await program.stop()).toBe(0);
  expect(program.log().find(({ msg }) => msg === "not ready")).toMatchObject({
    err: {
      message: `${directory}/archive.db is not the file that was opened: the archive was moved away or replaced; start the service again`,
    },
  });
});
