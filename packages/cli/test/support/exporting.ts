// Exports in tests: a service with calls, a folder that goes with the test, and what the folder has in the end.
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, relative, sep } from "node:path";
import { createFakeService, type FakeService } from "@call-media/testing";
import { type ServedFake, serveFake } from "@call-media/testing/http";
import { onTestFinished } from "vitest";
import type { ManifestEntry, Report } from "@call-media/handover";
import { type Ended, run, startProcess } from "./program.ts";

export const MARCH = ["--from", "2026-03-01", "--to", "2026-03-31"] as const;

export type FakeOptions = NonNullable<Parameters<typeof createFakeService>[0]>;
export type FakeCall = NonNullable<FakeOptions["calls"]>[number];

export const toBytes = (length: number, seed = 1) =>
  new Uint8Array(length).map((_, index) => (index * seed) % 251);

export interface Exporting {
  readonly service: FakeService;
  readonly served: ServedFake;
  /** The Range header of each request for the bytes of a recording; null without one. */
  readonly ranges: readonly (string | null)[];
  /** A path that is not there yet. */
  readonly out: string;
  readonly variables: NodeJS.ProcessEnv;
  /** `call-media export --out OUT` with these. */
  readonly exportCalls: (...args: string[]) => Promise<Ended>;
  readonly runCommand: (...args: string[]) => Promise<Ended>;
  readonly startCommand: (...args: string[]) => ReturnType<typeof startProcess>;
}

/** What an address answers, as it goes out. */
type Change = (url: string, answer: Response) => Response | Promise<Response>;

/** `toAsked` gives the address that the service is asked in the place of that of the request. */
export async function startExporting(
  options: FakeOptions,
  change: Change = (_url, answer) => answer,
  toAsked = (url: string) => url,
): Promise<Exporting> {
  const service = createFakeService(options);
  const ranges: (string | null)[] = [];
  const fetch: FakeService["fetch"] = async (input, init) => {
    const { url, headers } = new Request(input, { headers: init?.headers ?? [] });
    if (url.includes("/recording/")) ranges.push(headers.get("Range"));
    return change(url, await service.fetch(toAsked(url), init));
  };
  const served = await serveFake({ ...service, fetch });
  const folder = await mkdtemp(join(tmpdir(), "call-media-export-"));
  onTestFinished(async () => {
    await served.close();
    await rm(folder, { recursive: true });
  });
  const out = join(folder, "out");
  const variables = {
    CALL_MEDIA_BASE_URL: served.baseUrl,
    CALL_MEDIA_API_KEY: service.apiKey,
  };
  const runCommand = (...args: string[]) => run(args, variables);
  return {
    service,
    served,
    ranges,
    out,
    variables,
    runCommand,
    startCommand: (...args) => startProcess(args, variables),
    exportCalls: (...args) => runCommand("export", ...args, "--out", out),
  };
}

export async function readManifest(out: string): Promise<readonly ManifestEntry[]> {
  const lines = (await readFile(join(out, "manifest.jsonl"), "utf8")).trimEnd().split("\n");
  return lines.map((line) => JSON.parse(line) as ManifestEntry);
}

export async function readReport(out: string): Promise<Report> {
  return JSON.parse(await readFile(join(out, "report.json"), "utf8")) as Report;
}

export async function readMetadata(out: string): Promise<readonly Record<string, unknown>[]> {
  const lines = (await readFile(join(out, "metadata.jsonl"), "utf8")).split("\n").filter(Boolean);
  return lines.map((line) => JSON.parse(line) as Record<string, unknown>);
}

/** What is handed on: every file but the state of the export, by its path with `/`, and its content. */
export async function readTree(out: string): Promise<Readonly<Record<string, string>>> {
  const entries = await readdir(out, { recursive: true, withFileTypes: true });
  const files = entries
    .filter((entry) => entry.isFile())
    .map((entry) => relative(out, join(entry.parentPath, entry.name)).split(sep).join("/"))
    .filter((file) => !file.startsWith(".call-media/"))
    .toSorted();
  const contents = files.map(async (file) => {
    const text = await readFile(join(out, file), "latin1");
    return [
      file,
      file === "report.json" ? text.replace(/"(?:(?:began|finished)At|asOf)": .*/g, "") : text,
    ] as const;
  });
  return Object.fromEntries(await Promise.all(contents));
}

/** How many requests for the bytes of recordings the service got. */
export const countDownloads = ({ requests }: FakeService) =>
  requests.filter(({ operationId }) => operationId?.startsWith("streamRecording")).length;
