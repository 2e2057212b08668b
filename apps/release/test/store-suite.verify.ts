// The suite of the port, run as the author of an adapter runs it: from the tarball of the store, outside this repository.
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, inject, test } from "vitest";
import { readPacked } from "../src/packed-package.ts";
import { run } from "../src/run.ts";
import { createStranger, listPeers } from "../src/stranger.ts";

const TESTS = `
  import { mkdtempSync, rmSync } from "node:fs";
  import { tmpdir } from "node:os";
  import { join } from "node:path";
  import { createMemoryStore } from "@call-media/store/memory";
  import { createStore } from "@call-media/store/sqlite";
  import { describeStore } from "@call-media/store/suite";
  import { onTestFinished } from "vitest";

  describeStore({ adapter: "memory", create: async (timeZone) => createMemoryStore({ timeZone }) });
  describeStore({
    adapter: "sqlite",
    create: async (timeZone) => {
      const directory = mkdtempSync(join(tmpdir(), "store-suite-"));
      onTestFinished(() => rmSync(directory, { recursive: true }));
      return await createStore({ directory, timeZone });
    },
  });
`;

test("runs over the adapters of the package, and all of it passes", async () => {
  const packages = (await readPacked(inject("packed"))).filter(({ manifest: { name } }) =>
    ["@call-media/api", "@call-media/store", "@call-media/words"].includes(name),
  );
  await using stranger = await createStranger();
  await stranger.install(listPeers(packages), packages);
  await writeFile(join(stranger.cwd, "adapters.test.js"), TESTS);

  const file = join(stranger.cwd, "report.json");
  const output = ["--reporter=json", `--outputFile=${file}`];
  await run(["npx", "vitest", "run", ...output, "--testTimeout=120000"], stranger);
  const report = JSON.parse(await readFile(file, "utf8"));
  expect(report).toMatchObject({ success: true, numFailedTests: 0, numPendingTests: 0 });
  expect(report.numPassedTests).toBeGreaterThan(300);
});
