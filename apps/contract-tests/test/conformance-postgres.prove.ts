// The service under its own conformance kit, over an archive that was moved into PostgreSQL and a bucket: nothing is found either.
import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { checkService } from "@call-media/conformance";
import { openStore } from "@call-media/store/open";
import { startPostgres } from "@call-media/test-setup/postgres";
import { KEYS, startS3 } from "@call-media/test-setup/s3-server";
import { expect, test } from "vitest";
import { makeDemoArchive, startService } from "../src/demo-service.ts";

const RUNS = 20;

// The program lies next to the library's entry point.
const PROGRAM = fileURLToPath(new URL("main.ts", import.meta.resolve("@call-media/server")));

test("the demo archive, moved there by migrate, keeps everything against the decisions", async () => {
  await using stack = new AsyncDisposableStack();
  const postgres = stack.use(await startPostgres());
  const demo = stack.use(await makeDemoArchive());
  const [records, { address: media }] = [await postgres.createDatabase(), await startS3()];
  const to = ["--records", records, "--media", media];
  const migrate = [PROGRAM, "migrate", "--from", demo.directory, ...to];
  await promisify(execFile)(process.execPath, migrate, { env: { ...process.env, ...KEYS } });

  const store = stack.use(await openStore({ records, media, env: KEYS }));
  const { baseUrl } = stack.use(await startService(store));
  const { credentials, restricted, apiKey } = demo.access;
  const target = { baseUrl, credentials, restricted, apiKey };
  for (let run = 0; run < RUNS; run += 1) {
    const { verdict, findings } = await checkService(target, { against: "decisions" });
    expect(findings.map(({ requirement, fault }) => `${requirement}: ${fault}`)).toEqual([]);
    expect(verdict).toBe("kept");
  }
});
