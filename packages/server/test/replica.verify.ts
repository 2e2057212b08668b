// A server that reads records from a standby: what it answers from there says how old it may be, and all else is the primary's (D31).
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startReplicated } from "@call-media/test-setup/postgres";
import { expect, onTestFinished, test } from "vitest";
import { expectDone } from "./support/cluster.ts";
import { run } from "./support/command.ts";
import { startProgram } from "./support/program.ts";
import { scrape, valueOf } from "./support/scrape.ts";

const LAG_SECONDS = 3;

const WAIT = { timeout: 60_000, interval: 50 };

const rights = ["campaigns", "skills", "agents", "groups", "media", "download_doc_type"];
const USER = {
  kind: "user",
  id: 1,
  username: "mia",
  status: 1,
  created_date: "2026-01-01",
  ...Object.fromEntries(
    [...rights, ...[1, 2, 3, 4, 5].map((field) => `secure0${field}`)].map((right) => [
      `allow_all_${right}`,
      true,
    ]),
  ),
};

async function startArchive() {
  const folder = await mkdtemp(join(tmpdir(), "call-media-replica-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  const media = ["--media", folder];
  const add = async (records: string, items: readonly object[]) => {
    const file = join(folder, "archive.jsonl");
    await writeFile(file, items.map((item) => JSON.stringify(item)).join("\n"));
    await expectDone("import", "--records", records, ...media, file);
  };
  const pair = await startReplicated(async (records) => {
    await expectDone("setup", "--records", records, ...media);
    await add(records, [USER, toCall("first")]);
  });
  onTestFinished(() => pair[Symbol.asyncDispose]());
  const places = ["--records", pair.primary, ...media];
  const addCall = (callId: string) => add(pair.primary, [toCall(callId)]);
  return { pair, places, addCall };
}

const toCall = (call_id: string) => ({ kind: "call", call_id, datetime: "2026-01-05T10:00:00Z" });

const toReplica = (address: string) =>
  ["--records-replica", address, "--replica-lag", String(LAG_SECONDS)] as const;

test("answers of the standby say how old they are; too old ones, and the newest, are the primary's", async () => {
  const { pair, places, addCall } = await startArchive();
  const key = await expectDone("key", "create", "--user", "mia", "--json", ...places);
  const options = [...toReplica(pair.standby), "--metrics-port", "0"];
  await using program = await startProgram(places, options);
  const ask = async (path: string, headers: Readonly<Record<string, string>> = {}) => {
    const asking = { Authorization: `Bearer ${JSON.parse(key).apiKey}`, ...headers };
    const response = await fetch(`${program.baseUrl}${path}`, { headers: asking });
    expect(response.status).toBe(200);
    const { data } = (await response.json()) as { data: readonly { call_id: string }[] }; // the contract
    const age = response.headers.get("age");
    return { ids: data.map(({ call_id }) => call_id), isOld: age !== null, age: Number(age) };
  };
  const later = (headers?: Readonly<Record<string, string>>) =>
    ask("/metadata/by-call-id/later", headers);
  const readyz = async () => await (await fetch(`${program.baseUrl}/readyz`)).text();

  await pair.pauseReplay();
  await addCall("later");
  // At once: it is not yet too far behind.
  await expect.poll(() => later(), WAIT).toMatchObject({ ids: ["later"], isOld: false });
  expect(await readyz()).toMatch(/^ok\nreplica: at most \d+ s behind, not read\n$/);
  const samples = await scrape(program.metricsUrl);
  expect(valueOf(samples, "call_media_replica_lag_seconds")).toBeGreaterThan(LAG_SECONDS);
  expect((await run("doctor", ...places, ...toReplica(pair.standby))).stdout).toContain(
    `warning: the replica is more than ${LAG_SECONDS} s behind: everything is read from the primary`,
  );

  await pair.resumeReplay();
  await expect.poll(() => later(), WAIT).toMatchObject({ ids: ["later"], isOld: true });
  expect((await later()).age).toBeLessThanOrEqual(LAG_SECONDS);
  for (const value of ["no-cache", "max-age=0", "no-store, No-Cache"])
    expect(await later({ "Cache-Control": value })).toMatchObject({ isOld: false });
  expect(await later({ "Cache-Control": "max-age=60" })).toMatchObject({ isOld: true });
  await expect.poll(readyz, WAIT).toMatch(/^ok\nreplica: at most [123] s behind\n$/);
  expect(await run("doctor", ...places, ...toReplica(pair.standby))).toMatchObject({ code: 0 });

  // The log is the primary's, and has every answer.
  expect(await program.stop()).toBe(0);
  await expectDone("audit", "verify", ...places);
});

test("an address with a password, and the replica of a folder, are refused", async () => {
  const withSecret = ["serve", "--records-replica", "postgres://cm:S3CRET@db/cm"];
  const refused = await run(...withSecret, "--records", "postgres://cm@db/cm", "--media", "media");
  expect(refused).toMatchObject({ code: 1 });
  expect(refused.stderr).toContain("set CALL_MEDIA_RECORDS_REPLICA to the address");
  expect(refused.stderr).not.toContain("S3CRET");
  const folder = await run("serve", "--data", "archive", "--records-replica", "postgres://db/cm");
  expect(folder.stderr).toContain("records in a folder have no replica: leave it out");
});
