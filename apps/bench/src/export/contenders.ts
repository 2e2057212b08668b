// What is compared: an export and a curl that fetches the same recordings, each a process of its own, and what they take.
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, readdir, truncate, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { FIRST_DAY, LAST_DAY } from "../rows.ts";
import { readEndedCpuUs, readPeakBytes } from "../serving/process-account.ts";
import type { Serving } from "../serving/program.ts";
import type { ExportArchive } from "./export-archive.ts";

export interface Spent {
  readonly seconds: number;
  readonly cpuSeconds: number;
  readonly serverCpuSeconds: number;
  readonly peakBytes: number;
}

interface World {
  /** Takes what they write. */
  readonly folder: string;
  /** The program, one file that Node.js runs. */
  readonly program: string;
  readonly serving: Serving;
  readonly archive: ExportArchive;
  readonly atOnce: number;
}

/** Each run writes into a folder of its own. */
export async function createContenders(world: World) {
  const { folder, archive, serving } = world;
  const config = join(folder, "curl.txt");
  await writeFile(config, toCurlConfig(serving, archive));
  let runs = 0;
  const run = async (start: (out: string) => ChildProcess): Promise<Spent> => {
    const out = join(folder, `out-${serving.port}-${runs++}`);
    await mkdir(out);
    const spent = await measureChild(serving, () => start(out));
    await emptyFiles(out);
    return spent;
  };
  return {
    exported: () => run((out) => startExport(world, out)),
    curl: () => run((out) => startCurl(world, config, out)),
  };
}

function startExport({ program, serving, archive, atOnce }: World, out: string): ChildProcess {
  const days = ["--from", FIRST_DAY, "--to", LAST_DAY];
  const pace = ["--concurrency", String(atOnce)];
  const args = ["export", ...days, "--files", "recordings", ...pace, "--out", out];
  return spawn(process.execPath, [program, ...args], {
    env: {
      ...process.env,
      CALL_MEDIA_BASE_URL: serving.baseUrl,
      CALL_MEDIA_API_KEY: archive.apiKey,
    },
    stdio: "ignore",
  });
}

function startCurl({ atOnce }: World, config: string, out: string): ChildProcess {
  const parallel = ["--parallel", "--parallel-max", String(atOnce)];
  const args = ["--silent", "--fail", ...parallel, "--config", config];
  return spawn("curl", args, { cwd: out, stdio: "ignore" });
}

function toCurlConfig({ baseUrl }: Serving, { apiKey, callIds }: ExportArchive): string {
  const files = callIds.map(
    (id) => `url = "${baseUrl}/recording/stream-by-call-id/${id}"\noutput = "${id}.wav"`,
  );
  return [`header = "Authorization: Bearer ${apiKey}"`, ...files].join("\n");
}

/**
 * The disk gets its room back, and the names stay until all is measured: for minutes ext4 looks twice at each inode that
 * was deleted before it gives it out again, which the next run would pay for by the file.
 */
async function emptyFiles(folder: string): Promise<void> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  for (const entry of entries)
    if (entry.isFile()) await truncate(join(entry.parentPath, entry.name));
}

const LOOK_MS = 50;

async function measureChild(serving: Serving, start: () => ChildProcess): Promise<Spent> {
  const serverUs = await serving.cpuUs();
  const endedUs = readEndedCpuUs();
  const startedMs = performance.now();
  const child = start();
  let peakBytes = 0;
  // The kernel keeps the peak, until the process is gone.
  const look = () => {
    if (child.pid === undefined || child.exitCode !== null) return;
    const seenBytes = readPeakBytes([child.pid]);
    if (seenBytes > peakBytes) peakBytes = seenBytes; // no number where it has ended and nobody has noticed
  };
  const timer = setInterval(look, LOOK_MS);
  const [code] = await once(child, "exit");
  clearInterval(timer);
  if (code !== 0) throw new Error(`${child.spawnfile} ended with ${code}`);
  return {
    seconds: (performance.now() - startedMs) / 1000,
    cpuSeconds: (readEndedCpuUs() - endedUs) / 1e6,
    serverCpuSeconds: ((await serving.cpuUs()) - serverUs) / 1e6,
    peakBytes,
  };
}
