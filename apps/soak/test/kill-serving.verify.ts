// kill -9 of a service while recordings are on their way: whoever has received a byte stands in the access log.
import { setTimeout } from "node:timers/promises";
import { expect, test } from "vitest";
import { readAccessLog } from "./support/audit.ts";
import { type Download, startDownload } from "./support/download.ts";
import { type HeardArchive, makeHeardArchive } from "./support/heard-archive.ts";
import { createRandom } from "./support/random.ts";
import { toNumber } from "./support/scale.ts";
import { startServing } from "./support/serving.ts";

const ROUNDS = toNumber("KILLED_SERVICES", { short: 3, long: 40 });
const SEED = toNumber("KILL_SEED", { short: 1, long: 1 });

const RECORDINGS = 4;
const RECORDING_BYTES = 3_000_000;
const LISTENERS = 12;

// The last downloads begin about when the service is killed.
const LONGEST_MS = 250;

test("every recording of which a byte was received has its row, whenever the service was killed", async () => {
  const archive = await makeHeardArchive(RECORDINGS, RECORDING_BYTES);
  const random = createRandom(SEED);
  let cut = 0;
  for (let round = 0; round < ROUNDS; round += 1) {
    const downloads = await listenUntilKilled(archive, random);
    const received = downloads.filter(({ bytes }) => bytes > 0);
    const logged = new Set(
      (await readAccessLog(archive.directory)).map(({ requestId }) => requestId),
    );
    expect(received.filter(({ requestId }) => !logged.has(requestId))).toEqual([]);
    cut += received.filter(({ bytes }) => bytes < RECORDING_BYTES).length;
  }
  expect(cut).toBeGreaterThan(0);

  const serving = await startServing(archive.directory);
  const whole = startDownload(`${serving.baseUrl}${archive.pathOf(0)}`, archive.apiKey);
  await whole.ended;
  expect(whole.bytes).toBe(RECORDING_BYTES);
  expect((await serving.stop()).code).toBe(0);
});

async function listenUntilKilled(archive: HeardArchive, random: () => number): Promise<Download[]> {
  const serving = await startServing(archive.directory);
  const downloads: Download[] = [];
  const over = new AbortController();
  const listen = async (listener: number) => {
    while (!over.signal.aborted) {
      const url = `${serving.baseUrl}${archive.pathOf(listener % RECORDINGS)}`;
      const download = startDownload(url, archive.apiKey);
      downloads.push(download);
      await download.ended;
    }
  };
  const listening = Array.from({ length: LISTENERS }, (_, listener) => listen(listener));
  // The first has to be on its way.
  while (!downloads.some(({ bytes }) => bytes > 0)) await setTimeout(1);
  await setTimeout(random() * LONGEST_MS);
  over.abort();
  await serving.kill();
  await Promise.all(listening);
  return downloads;
}
