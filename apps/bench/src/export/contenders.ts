// The compared programs: an export, and a curl that fetches the same URLs. Each is a separate process with its own figures.
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, readdir, readFile, truncate, writeFile } from "node:fs/promises";
import { freemem } from "node:os";
import { join } from "node:path";
import { FIRST_DAY, LAST_DAY } from "../rows.ts";
import { readEndedCpuUs, readPeakBytes } from "../serving/process-account.ts";
import type { Serving } from "../serving/program.ts";
import type { ExportArchive } from "./export-archive.ts";

/** Parallel requests of an export, and of curl. */
export const AT_ONCE = 8;

export interface Spent {
  readonly seconds: number;
  readonly cpuSeconds: number;
  readonly serverCpuSeconds: number;
  readonly peakBytes: number;
}

interface World {
  /** The folder for their output. */
  readonly folder: string;
  /** The program as one file that Node.js runs. */
  readonly program: string;
  readonly serving: Serving;
  readonly archive: ExportArchive;
}

/** Each run writes to its own folder. The export runs first, because curl repeats its requests. */
export async function createContenders(world: World) {
  const { folder, serving } = world;
  const config = join(folder, "curl.txt");
  let runs = 0;
  const measure = async (start: (out: string) => ChildProcess) => {
    const out = join(folder, `out-${serving.port}-${runs++}`);
    await mkdir(out);
    touchMemory(world.archive.bytes);
    return { out, spent: await measureChild(serving, () => start(out)) };
  };
  return {
    async exported(): Promise<Spent> {
      const { out, spent } = await measure((path) => startExport(world, path));
      await writeFile(config, toCurlConfig(world, await readPages(out)));
      await emptyFiles(out);
      return spent;
    },
    async curl(): Promise<Spent> {
      const { out, spent } = await measure((path) => startCurl(config, path));
      await emptyFiles(out);
      return spent;
    },
  };
}

function startExport({ program, serving, archive }: World, out: string): ChildProcess {
  const days = ["--from", FIRST_DAY, "--to", LAST_DAY];
  const pace = ["--concurrency", String(AT_ONCE)];
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

function startCurl(config: string, out: string): ChildProcess {
  const parallel = ["--parallel", "--parallel-max", String(AT_ONCE)];
  return spawn("curl", ["--silent", ...parallel, "--config", config], {
    cwd: out,
    stdio: "ignore",
  });
}

/** The page size (D07). */
const PAGE_RECORDS = 50;

/** The part of an export's report that is read here. */
interface Report {
  readonly windows: readonly {
    readonly from: string;
    readonly to: string;
    readonly announced: number | null;
  }[];
}

interface Page {
  readonly index: number;
  /** Path and query. */
  readonly target: string;
}

/** Lists the pages of all searches of an export. */
async function readPages(out: string): Promise<readonly Page[]> {
  const text = await readFile(join(out, "report.json"), "utf8");
  return (JSON.parse(text) as Report).windows.flatMap(({ from, to, announced }) => {
    const pages = Math.max(1, Math.ceil((announced ?? 0) / PAGE_RECORDS));
    return Array.from({ length: pages }, (_, index) => {
      const query = `pageIndex=${index}&startDate=${from}&endDate=${to}`;
      return { index, target: `/metadata/by-custom-fields?${query}` };
    });
  });
}

/** The same requests: every page of records, the first of a search with its count, then every recording. */
function toCurlConfig({ serving, archive }: World, pages: readonly Page[]): string {
  const head = ["fail", `header = "Authorization: Bearer ${archive.apiKey}"`];
  const toUrl = (target: string, output: string) => [
    `url = "${serving.baseUrl}${target}"`,
    `output = "${output}"`,
  ];
  const toSearches = (some: readonly Page[]) =>
    some.flatMap(({ index, target }) => toUrl(target, `${index}${target.replaceAll("/", "-")}`));
  const first = toSearches(pages.filter(({ index }) => index === 0));
  const others = toSearches(pages.filter(({ index }) => index > 0));
  const recordings = archive.callIds.flatMap((id) =>
    toUrl(`/recording/stream-by-call-id/${id}`, `${id}.wav`),
  );
  const search = 'json = "{}"';
  return [
    [...head, search, 'header = "Prefer: count=exact"', ...first],
    ...(others.length > 0 ? [[...head, search, ...others]] : []),
    [...head, ...recordings],
  ]
    .map((lines) => lines.join("\n"))
    .join("\nnext\n");
}

/**
 * Truncates the files but keeps their names until all runs are measured, which frees the disk. After a deletion, ext4 checks
 * each freed inode twice for minutes before reusing it, which would slow the next run for every file.
 */
async function emptyFiles(folder: string): Promise<void> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  for (const entry of entries)
    if (entry.isFile()) await truncate(join(entry.parentPath, entry.name));
}

/** Reserve for memory that the host may reclaim during a run, as a factor of what the run needs. */
const SPARE = 1.5;
const PIECE_BYTES = 268_435_456;

/**
 * Makes sure that the machine really has the memory that a run needs. The host of a virtual machine reclaims memory that was
 * free for some seconds. Writing to it again takes ten times as long, which would count against the longer run.
 */
function touchMemory(bytes: number): void {
  const pieces = Math.ceil(Math.min(bytes * SPARE, freemem() / 2) / PIECE_BYTES);
  const touched = Array.from({ length: pieces }, () => new ArrayBuffer(PIECE_BYTES));
  for (const piece of touched) new Uint8Array(piece).fill(1);
  for (const piece of touched) piece.transfer(0); // released immediately
}

const LOOK_MS = 50;

async function measureChild(serving: Serving, start: () => ChildProcess): Promise<Spent> {
  const serverUs = await serving.cpuUs();
  const endedUs = readEndedCpuUs();
  const startedMs = performance.now();
  const child = start();
  let peakBytes = 0;
  // The kernel reports the peak only while the process exists.
  const look = () => {
    if (child.pid === undefined || child.exitCode !== null) return;
    const seenBytes = readPeakBytes([child.pid]);
    if (seenBytes > peakBytes) peakBytes = seenBytes; // NaN if the process ended unnoticed
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
