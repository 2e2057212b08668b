// Measures an export over loopback: its speed compared with curl for the same recordings, and its memory.
import { spawnSync } from "node:child_process";
import { copyFile, mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { createTemporaryFolder } from "../archive.ts";
import type { Goal } from "../goals.ts";
import { startServing } from "../serving/program.ts";
import { type Line, printTable } from "../table.ts";
import { takeTurns, toTurnMedian, type Turn } from "../turns.ts";
import { AT_ONCE, createContenders, type Spent } from "./contenders.ts";
import { createExportArchive, type ExportArchiveSize } from "./export-archive.ts";
import { measureHeavyDay, toMemoryGoal } from "./memory.ts";

const RECORDINGS = 2_000;
const TURNS = 3;
const LEAST_OF_CURL = 0.5;
/** Divides the number of calls for the smaller archive. */
const FEWER = 5;
/** Multiplies the number of calls for the archive of a single day; each has a recording. */
const OF_A_DAY = 2;

const SOURCES = fileURLToPath(new URL("../../../../packages/cli/src", import.meta.url));

export async function benchExport(rows: number): Promise<readonly Goal[]> {
  if (spawnSync("curl", ["--version"]).status !== 0) {
    console.log("\nexport: skipped, because this machine has no curl");
    return [];
  }
  await using folder = await createTemporaryFolder();
  const program = await bundleProgram(folder.path);
  const sizes = [];
  for (const size of toSizes(rows)) sizes.push(await measureArchive(folder.path, program, size));
  const title = `An export of ${RECORDINGS} recordings, ${AT_ONCE} at once (${TURNS} turns)`;
  const head = ["", "s", "MB/s", "of curl", "CPU s", "server CPU s", "all CPU, of curl", "peak MB"];
  printTable(title, [head, ...sizes.flatMap(toLines)]);
  const ofDay = await measureHeavyDay(folder.path, program, rows * OF_A_DAY);
  return [...sizes.flatMap(toGoals), ofDay];
}

function toSizes(rows: number): readonly ExportArchiveSize[] {
  const recordings = RECORDINGS;
  return [
    { calls: rows / FEWER, recordings, lengths: "talked" },
    { calls: rows, recordings, lengths: "talked" },
    { calls: rows, recordings, lengths: "short" },
  ];
}

const toName = ({ calls, lengths }: ExportArchiveSize) =>
  `${calls.toLocaleString("en")} calls${lengths === "short" ? ", recordings of a minute" : ""}`;

function toGoals({ size, ofCurl, peakBytes }: Measured): readonly Goal[] {
  const what = `export of ${toName(size)}`;
  return [
    {
      what: `${what}: bytes a second against \`curl --parallel\``,
      measured: ofCurl,
      is: "at least",
      limit: LEAST_OF_CURL,
    },
    toMemoryGoal(what, peakBytes),
  ];
}

/** Bundles the program like the published package: without types, and in few files. */
async function bundleProgram(folder: string): Promise<string> {
  const outdir = join(folder, "program");
  // Renamed, because a dependency imports createRequire too.
  const require =
    'import { createRequire as createBundleRequire } from "node:module"; const require = createBundleRequire(import.meta.url);';
  await build({
    entryPoints: [join(SOURCES, "main.ts")],
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
  // The program reads its version there.
  await copyFile(join(SOURCES, "../package.json"), join(folder, "package.json"));
  return join(outdir, "main.mjs");
}

interface Measured {
  readonly size: ExportArchiveSize;
  readonly bytes: number;
  readonly turns: readonly Turn<"exported" | "curl", Spent>[];
  readonly ofCurl: number;
  readonly peakBytes: number;
}

async function measureArchive(
  folder: string,
  program: string,
  size: ExportArchiveSize,
): Promise<Measured> {
  const directory = join(folder, `archive-${size.calls}-${size.lengths}`);
  await mkdir(directory);
  const archive = await createExportArchive(directory, size);
  await using serving = await startServing({ directory, logFile: join(folder, "service.log") });
  const world = { folder, program, serving, archive };
  const turns = await takeTurns(await createContenders(world), TURNS);
  await rm(directory, { recursive: true });
  return {
    size,
    bytes: archive.bytes,
    turns,
    ofCurl: toTurnMedian(turns, ({ exported, curl }) => curl.seconds / exported.seconds),
    peakBytes: Math.max(...turns.map(({ exported }) => exported.peakBytes)),
  };
}

/** One line for the export and one for curl. On a busy machine, CPU time says more than wall-clock time. */
function toLines({ size, bytes, turns, ofCurl, peakBytes }: Measured): readonly Line[] {
  const toAll = ({ cpuSeconds, serverCpuSeconds }: Spent) => cpuSeconds + serverCpuSeconds;
  const ofAll = toTurnMedian(turns, ({ exported, curl }) => toAll(curl) / toAll(exported));
  const toCells = (name: "exported" | "curl") => {
    const seconds = toTurnMedian(turns, (turn) => turn[name].seconds);
    const cpuSeconds = toTurnMedian(turns, (turn) => turn[name].cpuSeconds);
    const serverCpuSeconds = toTurnMedian(turns, (turn) => turn[name].serverCpuSeconds);
    return {
      speed: [seconds.toFixed(1), (bytes / 1e6 / seconds).toFixed(0)],
      cpu: [cpuSeconds.toFixed(1), serverCpuSeconds.toFixed(1)],
    };
  };
  const [own, curl] = [toCells("exported"), toCells("curl")];
  const peak = (peakBytes / 1e6).toFixed(0);
  return [
    [toName(size), ...own.speed, ofCurl.toFixed(2), ...own.cpu, ofAll.toFixed(2), peak],
    ["  curl", ...curl.speed, "", ...curl.cpu, "", ""],
  ];
}
