// The end of a window by what concerns more than one file, while others are under way.
import { mkdir, readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { MARCH, startExporting, toBytes } from "./support/exporting.ts";
import { run } from "./support/program.ts";

const CALLS = Array.from({ length: 60 }, (_, index) => ({
  call_id: String(1000 + index),
  datetime: "2026-03-02T06:14:00Z",
  recordings: [{ filename: "a.wav", bytes: toBytes(900, index + 1) }],
}));

// Whether another file comes just then is chance, of one in four: a journal that was closed too early is found in most runs.
const TIMES = 6;

test("the message names a file that cannot be written, even if other files arrive at the same time", async () => {
  const { out, exportCalls, variables } = await startExporting({ calls: CALLS });
  expect(await exportCalls(...MARCH, "--files", "recordings")).toMatchObject({ code: 0 });
  const day = join(out, "recordings", "2026-03-02");
  const resume = ["export", "--resume", "--concurrency", "64", "--out", out];
  for (let time = 0; time < TIMES; time++) {
    for (const name of await readdir(day)) await rm(join(day, name), { recursive: true });
    await mkdir(join(day, "1030.wav"));
    // Then the journal is closed after all that other files wait for.
    const { code, stderr } = await run(resume, { ...variables, UV_THREADPOOL_SIZE: "1" });
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: expect.stringMatching(
        /^call-media: EISDIR.*1030\.wav'; what was fetched is kept; continue with /m,
      ),
    });
  }
});
