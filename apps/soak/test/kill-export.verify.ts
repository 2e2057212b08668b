// kill -9 of an export at random moments, and networks that fail: the folder in the end is that of a run without either.
import { join } from "node:path";
import { expect, test } from "vitest";
import { makeFolder } from "./support/archive.ts";
import {
  type ExportArchive,
  FROM,
  makeExportArchive,
  toLastDay,
} from "./support/export-archive.ts";
import {
  type Asked,
  type ExportProcess,
  listRecordings,
  readTree,
  startExport,
} from "./support/export-program.ts";
import { NO_FAULTS, startProxy } from "./support/faulty-proxy.ts";
import { createRandom } from "./support/random.ts";
import { toNumber } from "./support/scale.ts";
import { startServing } from "./support/serving.ts";

const SIZE = {
  calls: toNumber("EXPORT_CALLS", { short: 300, long: 20_000 }),
  // So few calls a day that some days are searched for at once.
  days: toNumber("EXPORT_DAYS", { short: 8, long: 400 }),
};
const KILLS = toNumber("KILLED_EXPORTS", { short: 4, long: 50 });
const SEED = toNumber("KILL_SEED", { short: 1, long: 1 });
// By number where all is over within seconds; where that takes minutes, every ten seconds.
const REVOKED_AFTER = {
  requests: toNumber("REVOKED_AFTER", { short: 100, long: Infinity }),
  ms: toNumber("REVOKED_AFTER_MS", { short: Infinity, long: 10_000 }),
};
const DAMAGED = "call-10";

/** Far beyond any export of these tests. */
const HANG_MS = 600_000;

const DAYS = ["--from", FROM, "--to", toLastDay(SIZE)];

interface World {
  readonly archive: ExportArchive;
  readonly folder: string;
  readonly target: string;
}

async function openWorld(): Promise<World> {
  const folder = await makeFolder();
  const archive = await makeExportArchive(await makeFolder(), SIZE);
  const { baseUrl } = await startServing(archive.directory);
  return { archive, folder, target: baseUrl };
}

/** An export that nothing happens to, and how long it takes. */
async function exportWhole(asked: Asked, out: string) {
  const startedMs = performance.now();
  const { code, said } = await startExport([...DAYS, "--out", out], asked).ended;
  expect(code, said).toBe(0);
  return { tree: await readTree(out), lastsMs: performance.now() - startedMs };
}

test("an export that is killed at any time and resumed has the same files, and fetches none twice", async () => {
  const { archive, folder, target } = await openWorld();
  const proxy = await startProxy(target);
  const asked = { baseUrl: proxy.baseUrl, credentials: archive.credentials };
  const whole = await exportWhole(asked, join(folder, "whole"));
  expect([...whole.tree.keys()].filter((file) => file.startsWith("recordings"))).toHaveLength(
    archive.recordings,
  );

  const random = createRandom(SEED);
  let [kills, exports, amid] = [0, 0, 0];
  // More, on a machine so uneven that each came before the first download.
  const isOver = () => kills >= (amid > 0 ? KILLS : 5 * KILLS);
  while (!isOver()) {
    const out = join(folder, `killed-${exports++}`);
    for (let isDone = false; !isDone;) {
      const there = await listRecordings(out);
      proxy.asked.length = 0;
      const running = startExport(["--resume", ...DAYS, "--out", out], asked);
      // On a machine that has become busier since, the first download may come later than the end came then.
      const early = 1 + (kills - amid) / 4;
      isDone = await endsWithin(running, isOver() ? undefined : random() * whole.lastsMs * early);
      if (!isDone) kills++;
      if (!isDone && proxy.asked.length > 0) amid++;
      expect(proxy.asked.filter((name) => there.has(name))).toEqual([]);
    }
    expect(await readTree(out)).toEqual(whole.tree);
  }
  console.log(`${kills} kills of ${exports} exports, ${amid} of them amid downloads`);
  expect(amid).toBeGreaterThan(0);
});

/** Whether it came to its end; killed otherwise. */
async function endsWithin({ child, ended }: ExportProcess, ms: number | undefined) {
  const timer = setTimeout(() => child.kill("SIGKILL"), ms ?? HANG_MS);
  const { code, said } = await ended;
  clearTimeout(timer);
  expect(code ?? 0, said).toBe(0); // null where it was killed
  return code === 0;
}

test("through a network that cuts, refuses and forgets tokens the same comes, but for what is damaged", async () => {
  const { archive, folder, target } = await openWorld();
  const credentials = archive.credentials;
  const whole = await exportWhole({ baseUrl: target, credentials }, join(folder, "whole"));
  const proxy = await startProxy(target, {
    ...NO_FAULTS,
    random: createRandom(SEED),
    cut: 0.1,
    unavailable: 0.05,
    revokedAfter: REVOKED_AFTER,
    wrongDigest: DAMAGED,
  });
  const out = join(folder, "faulty");
  const { code, said } = await startExport([...DAYS, "--out", out], {
    baseUrl: proxy.baseUrl,
    credentials,
  }).ended;
  console.log(said, proxy.befallen);
  expect(code, said).toBe(3);
  for (const count of Object.values(proxy.befallen)) expect(count).toBeGreaterThan(0);

  const tree = await readTree(out);
  const isOwn = (file: string) => file !== "report.json" && file !== "manifest.jsonl";
  const isKept = (file: string) => isOwn(file) && !file.endsWith(`/${DAMAGED}.wav`);
  expect(new Map([...tree].filter(([file]) => isOwn(file)))).toEqual(
    new Map([...whole.tree].filter(([file]) => isKept(file))),
  );
  const [expected, got] = [whole.tree, tree].map((one) =>
    toEntries(one.get("manifest.jsonl") ?? ""),
  );
  const damaged = got?.filter(({ status }) => status !== "complete");
  expect(damaged).toEqual([expect.objectContaining({ call_id: DAMAGED, status: "damaged" })]);
  const isWhole = ({ call_id, kind }: Entry) => call_id !== DAMAGED || kind !== "recording";
  expect(got?.filter(isWhole)).toEqual(expected?.filter(isWhole));
});

interface Entry {
  readonly call_id: string | null;
  readonly kind: string;
  readonly status: string;
}

/** Without the number of requests, which the network makes. */
function toEntries(manifest: string): readonly Entry[] {
  return manifest
    .trimEnd()
    .split("\n")
    .map((line) => ({ ...(JSON.parse(line) as Entry), attempts: undefined }));
}
