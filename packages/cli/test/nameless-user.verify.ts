// A user whom the system has no name for, and no home: as which containers are often run.
import { spawnSync } from "node:child_process";
import { expect, test } from "vitest";
import { startExporting } from "./support/exporting.ts";
import { MAIN, run } from "./support/program.ts";

const HOMELESS = { HOME: undefined, XDG_CONFIG_HOME: undefined, NODE_COMPILE_CACHE: undefined };
const NAMELESS = { uid: 54_321 };

// Nobody but root may become another user, who has to be let in where this lies.
const canBeNameless =
  process.getuid?.() === 0 && spawnSync(process.execPath, ["--check", MAIN], NAMELESS).status === 0;
if (!canBeNameless)
  console.warn(
    "SKIPPED users without a name: only root may become one, where others may read this",
  );

test.runIf(canBeNameless)("asks with what the environment has", async () => {
  const { variables } = await startExporting({ calls: [{ call_id: "1" }] });
  const asked = ["get", "1", "--json"];
  const { code, stdout, stderr } = await run(asked, { ...variables, ...HOMELESS }, NAMELESS);
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  expect(JSON.parse(stdout)).toMatchObject({ records: [{ call_id: "1" }] });
});

test.runIf(canBeNameless)("gets the reason why no profile can be stored or found", async () => {
  expect(await run(["whoami"], HOMELESS, NAMELESS)).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("no service address"),
  });
  expect(await run(["whoami", "--profile", "production"], HOMELESS, NAMELESS)).toMatchObject({
    code: 2,
    stderr: "call-media: this user has no home directory for profiles: set HOME\n",
  });
});
