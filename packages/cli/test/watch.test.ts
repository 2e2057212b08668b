// Watching from the command line: every call that comes is printed, once, whatever becomes of service and program.
import { mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { serveGrowing } from "./support/growing.ts";
import { run } from "./support/program.ts";
import { HOUR_MS, callOf, soon, startWatch } from "./support/watching.ts";

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "call-media-watch-"));
});
afterAll(() => rm(folder, { recursive: true }));

/** More than two pages. */
const OLD = Array.from({ length: 130 }, (_, index) => callOf(`old-${index}`, 2 + index / 4));

test.concurrent("prints the calls that come, the oldest first, and says at the end how far it is", async () => {
  await using growing = await serveGrowing(OLD);
  const watch = startWatch(growing, "--where", 'agent == "ana.kovac"');
  await watch.isReady();
  // The second was entered late: two pages of others are newer.
  growing.add(callOf("new", 0), callOf("late", 34), callOf("unwanted", 0, "mia.berg"));
  await watch.hasPrinted("late", "new");
  growing.add(callOf("newer", 0));
  await watch.hasPrinted("late", "new", "newer");
  const { code, stderr } = await watch.stop();
  expect(code).toBe(130);
  expect(stderr).toMatch(/ 3 calls printed, the last of 20.*; with --cursor FILE/);
  expect(stderr.endsWith("\ncall-media: stopped by Ctrl-C\n")).toBe(true);
});

test.concurrent("ends with 143 on SIGTERM", async () => {
  await using growing = await serveGrowing(OLD);
  const watch = startWatch(growing);
  await watch.isReady();
  expect(await watch.stop("SIGTERM")).toMatchObject({
    code: 143,
    stderr: expect.stringMatching(/ 0 calls printed; .*\ncall-media: stopped by SIGTERM\n$/),
  });
});

test.concurrent("asks for one page a look, as long as nothing comes", async () => {
  await using growing = await serveGrowing(OLD);
  const watch = startWatch(growing);
  await watch.isReady();
  const before = growing.requests;
  await soon(() => expect(growing.requests).toBeGreaterThan(before + 1));
  const pages = growing.service.requests.slice(before).map(({ url }) => new URL(url).searchParams);
  expect(pages.map((query) => query.get("pageIndex"))).toEqual(pages.map(() => "0"));
  expect((await watch.stop()).code).toBe(130);
});

test.concurrent("finds new calls if the service announces no counts", async () => {
  await using growing = await serveGrowing(OLD, { isCounted: false });
  const watch = startWatch(growing);
  await watch.isReady();
  growing.add(...Array.from({ length: 70 }, (_, index) => callOf(`new-${index}`, 1 - index / 100)));
  await watch.hasPrinted(...Array.from({ length: 70 }, (_, index) => `new-${index}`));
  expect((await watch.stop()).code).toBe(130);
});

test.concurrent("finds them where the last page has them, as the profile says", async () => {
  await using growing = await serveGrowing(OLD, { isCounted: false, order: "oldest-first" });
  const file = join(folder, "oldest-first.json");
  await writeFile(file, JSON.stringify({ service: { order: "oldest-first" } }));
  const watch = startWatch(growing, "--profile", file);
  await watch.isReady();
  growing.add(callOf("new", 0), callOf("late", 34));
  await watch.hasPrinted("late", "new");
  expect((await watch.stop()).code).toBe(130);
});

test.concurrent("--since prints those of these days, too", async () => {
  await using growing = await serveGrowing([callOf("older", 24 * 9), callOf("old", 24 * 7)]);
  const since = new Date(Date.now() - 8 * 24 * HOUR_MS).toISOString().slice(0, 10);
  const watch = startWatch(growing, "--since", since);
  await watch.hasPrinted("old");
  growing.add(callOf("new", 0));
  await watch.hasPrinted("old", "new");
  expect((await watch.stop()).code).toBe(130);
});

describe("with a cursor", () => {
  test.concurrent("goes on where it was: nothing twice, nothing lost, nothing of a call in the file", async () => {
    await using growing = await serveGrowing(OLD);
    const file = join(folder, "cursor");
    const watch = startWatch(growing, "--cursor", file);
    await watch.isReady();
    growing.add(callOf("first", 0));
    await watch.hasPrinted("first");
    expect((await watch.stop()).stderr).toContain(`--cursor ${file} continues from here`);
    // While nobody watches.
    growing.add(callOf("late", 30), callOf("second", 0));
    const again = startWatch(growing, "--cursor", file);
    await again.hasPrinted("late", "second");
    await again.stop();
    expect((await stat(file)).mode & 0o077).toBe(0);
    expect(await readFile(file, "utf8")).not.toMatch(/first|ana\.kovac/);
  });

  test.concurrent("of another search, or that is none, is refused", async () => {
    await using growing = await serveGrowing([]);
    const file = join(folder, "of-ana");
    const where = ["--where", "talk_time > 600"];
    const watch = startWatch(growing, "--cursor", file, "--agent", "ana", ...where);
    await watch.isReady();
    await watch.stop();
    const watchOnce = (...args: string[]) => run(["watch", ...args], growing.variables);
    for (const search of [
      ["--agent", "mia", ...where],
      ["--agent", "ana"],
      ["--agent", "ana", "--where", "talk_time > 60"],
    ]) {
      const other = await watchOnce("--cursor", file, ...search);
      expect(other).toMatchObject({ code: 2, stdout: "" });
      expect(other.stderr).toContain("is of another service or search");
    }
    const same = startWatch(growing, "--cursor", file, "--agent", "ana", ...where);
    await same.isReady();
    expect((await same.stop()).code).toBe(130);
    await writeFile(file, '{"version":1}');
    expect((await watchOnce("--cursor", file)).stderr).toContain("is not what watch keeps");
    const noFolder = await watchOnce("--cursor", join(folder, "none", "cursor"));
    expect(noFolder.stderr).toContain("--cursor: nothing can be written in");
  });
});

describe("while the service fails", () => {
  test.concurrent("says so and goes on", async () => {
    await using growing = await serveGrowing(OLD);
    const watch = startWatch(growing);
    await watch.isReady();
    const takeBack = growing.service.inject({ kind: "unreachable", times: Infinity });
    await watch.hasSaid("looking again until it answers");
    takeBack();
    growing.add(callOf("new", 0));
    await watch.hasSaid("the service answers again");
    await watch.hasPrinted("new");
    expect((await watch.stop()).code).toBe(130);
  });

  test.concurrent("waits as long as a 429 asks for", async () => {
    await using growing = await serveGrowing([]);
    const watch = startWatch(growing);
    await watch.isReady();
    // As often as the client tries by itself.
    growing.service.inject({ kind: "status", status: 429, retryAfterS: 2, times: 3 });
    await watch.hasSaid("429");
    const refused = () => growing.answers.findLastIndex(({ status }) => status === 429);
    await soon(() => expect(growing.answers.length).toBeGreaterThan(refused() + 1));
    const [last = 0, next = 0] = growing.answers.slice(refused()).map(({ cameMs }) => cameMs);
    // An interval is one second.
    expect(next - last).toBeGreaterThan(1500);
    await watch.stop();
  });

  test.concurrent("ends where that will not pass", async () => {
    await using growing = await serveGrowing([]);
    const watch = startWatch(growing);
    await watch.isReady();
    growing.service.inject({ kind: "status", status: 401, times: Infinity });
    const { code, stderr } = await watch.ended;
    expect(code).toBe(1);
    expect(stderr).toMatch(/^call-media: .*401 of searchMetadataByCustomFields/m);
  });
});

test.concurrent("an interval of less than a second is refused", async () => {
  const { code, stderr } = await run(["watch", "--interval", "0.5"]);
  expect(code).toBe(2);
  expect(stderr).toContain("It must be a number of seconds from 1 to 86400.");
});

test.concurrent("a first day that has not come is refused before the service is asked", async () => {
  await using growing = await serveGrowing([]);
  const { code, stderr } = await run(["watch", "--since", "2999-01-01"], growing.variables);
  const message = "--since 2999-01-01 is in the future: name a day that has begun";
  expect({ code, stderr }).toEqual({ code: 2, stderr: `call-media: ${message}\n` });
  expect(growing.requests).toBe(0);
});
