// An export over loopback: how fast it is beside curl that fetches the same recordings, and how much memory it takes.
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { copyFile, mkdir, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { createTemporaryFolder } from "../archive.ts";
import type { Goal } from "../goals.ts";
import { FIRST_DAY, LAST_DAY } from "../rows.ts";
import { readPeakBytes } from "../serving/process-account.ts";
import { type Serving, startServing } from "../serving/program.ts";
import { printTable } from "../table.ts";
import { takeTurns, toTurnMedian } from "../turns.ts";
import { createExportArchive, type ExportArchive } from "./export-archive.ts";

const RECORDINGS = 2_000;
const TURNS = 3;
const AT_ONCE = "8";
const LEAST_OF_CURL = 0.5;
const MOST_BYTES = 150e6;
/** The second size of the comparison of memory. */
const FEWER = 5;

const PROGRAM = fileURLToPath(new URL("../../../../packages/cli/src/main.ts", import.meta.url));

interface Measured {
  readonly seconds: number;
  readonly peakBytes: number;
}

export async function benchExport(rows: number): Promise<readonly Goal[]> {
  if (spawnSync("curl", ["--version"]).status !== 0) {
    console.log("\nexport: left out, there is no curl on this machine");
    return [];
  }
  await using folder = await createTemporaryFolder();
  const program = await bundleProgram(folder.path);
  const fewer = await measureArchive(folder.path, program, { rows: rows / FEWER, turns: 1 });
  const all = await measureArchive(folder.path, program, { rows, turns: TURNS });
  const toMegabytes = (bytes: number) => (bytes / 1e6).toFixed(0);
  printTable(`An export of ${RECORDINGS} recordings, ${AT_ONCE} at once (${TURNS} turns)`, [
    ["", "s", "MB/s", "of curl", "peak MB"],
    ...[fewer, all].map(({ rows: calls, exported, curl, bytes, peakBytes }) => [
      `${calls.toLocaleString("en")} calls`,
      exported.toFixed(1),
      (bytes / 1e6 / exported).toFixed(0),
      (curl / exported).toFixed(2),
      toMegabytes(peakBytes),
    ]),
  ]);
  return [
    {
      what: "call-media export: bytes a second against curl --parallel",
      measured: all.curl / all.exported,
      is: "at least",
      limit: LEAST_OF_CURL,
    },
    {
      what: "call-media export: peak memory, of 150 MB",
      measured: Math.max(fewer.peakBytes, all.peakBytes) / MOST_BYTES,
      is: "at most",
      limit: 1,
    },
  ];
}

/** As who installs it meets it: types are stripped, and modules in few files. */
async function bundleProgram(folder: string): Promise<string> {
  const outdir = join(folder, "program");
  const require =
    'import { createRequire } from "node:module"; const require = createRequire(import.meta.url);';
  await build({
    entryPoints: [PROGRAM],
    outdir,
    bundle: true,
    splitting: true,
    platform: "node",
    format: "esm",
    target: "node22",
    outExtension: { ".js": ".mjs" },
    banner: { js: require },
    logLevel: "error",
  });
  // It reads its version there.
  await copyFile(join(dirname(PROGRAM), "../package.json"), join(folder, "package.json"));
  return join(outdir, "main.mjs");
}

async function measureArchive(
  folder: string,
  program: string,
  { rows, turns }: { readonly rows: number; readonly turns: number },
) {
  const directory = join(folder, `archive-${rows}`);
  await mkdir(directory);
  const archive = await createExportArchive(directory, { rows, recordings: RECORDINGS });
  await using serving = await startServing({ directory, logFile: join(folder, "service.log") });
  const config = join(folder, "curl.txt");
  await writeFile(config, toCurlConfig(serving, archive));
  let peakBytes = 0;
  const kinds = {
    exported: async () => {
      const measured = await runExport({ program, out: join(folder, "out") }, serving, archive);
      peakBytes = Math.max(peakBytes, measured.peakBytes);
      return measured.seconds;
    },
    curl: () => runCurl(config, join(folder, "curl")),
  };
  const measured = await takeTurns(kinds, turns);
  await rm(directory, { recursive: true });
  return {
    rows,
    bytes: archive.bytes,
    peakBytes,
    exported: toTurnMedian(measured, (turn) => turn.exported),
    curl: toTurnMedian(measured, (turn) => turn.curl),
  };
}

async function runExport(
  { program, out }: { readonly program: string; readonly out: string },
  { baseUrl }: Serving,
  { apiKey }: ExportArchive,
): Promise<Measured> {
  const days = ["--from", FIRST_DAY, "--to", LAST_DAY];
  const args = ["export", ...days, "--files", "recordings", "--concurrency", AT_ONCE, "--out", out];
  const child = spawn(process.execPath, [program, ...args], {
    env: { ...process.env, CALL_MEDIA_BASE_URL: baseUrl, CALL_MEDIA_API_KEY: apiKey },
    stdio: "ignore",
  });
  const measured = await measureChild(child);
  await rm(out, { recursive: true });
  return measured;
}

async function runCurl(config: string, out: string): Promise<number> {
  await mkdir(out);
  const args = ["--silent", "--fail", "--parallel", "--parallel-max", AT_ONCE, "--config", config];
  const { seconds } = await measureChild(spawn("curl", args, { cwd: out, stdio: "ignore" }));
  await rm(out, { recursive: true });
  return seconds;
}

function toCurlConfig({ baseUrl }: Serving, { apiKey, callIds }: ExportArchive): string {
  const files = callIds.map(
    (id) => `url = "${baseUrl}/recording/stream-by-call-id/${id}"\noutput = "${id}.wav"`,
  );
  return [`header = "Authorization: Bearer ${apiKey}"`, ...files].join("\n");
}

const LOOK_MS = 100;

async function measureChild(child: ChildProcess): Promise<Measured> {
  const startedMs = performance.now();
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
  return { seconds: (performance.now() - startedMs) / 1000, peakBytes };
}
