// What a service says of an archive that it reads back.
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect, test, vi } from "vitest";
import { startServing } from "./support/program.ts";
import { scrape, valueOf } from "./support/scrape.ts";
import { ALLOWED_ALL, startTestService } from "./support/service.ts";

test("a service names what is damaged in its log, counts it, and says how old the oldest reading is", async () => {
  await using archive = await startTestService();
  await archive.addUser(ALLOWED_ALL);
  using database = new DatabaseSync(join(archive.directory, "archive.db"));
  database.exec("UPDATE user SET status = 7");
  await using program = await startServing(archive.directory, ["--metrics-port", "0"]);
  await vi.waitFor(async () => {
    const samples = await scrape(program.metricsUrl);
    expect(valueOf(samples, "call_media_damaged_items")).toBeGreaterThan(0);
    expect(valueOf(samples, "call_media_oldest_unread_seconds")).toBeGreaterThanOrEqual(0);
  }, 10_000);
  const named = { damaged: expect.stringMatching(/^user \d+$/), msg: "not what was imported" };
  expect(program.log()).toContainEqual(expect.objectContaining(named));
});
