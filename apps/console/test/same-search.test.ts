// One search names the same calls and the same files in the list, in a hand-over, in an export, in a search of its folder,
// and in the tools for language models.
import { createHash } from "node:crypto";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type CallRecord, createClient } from "@call-media/client";
import { type ManifestEntry, writeHandOver } from "@call-media/handover";
import { runCallMedia, startCallMedia } from "@call-media/test-setup/call-media";
import { createFakeService, type FakeCall, type FakeService } from "@call-media/testing";
import { serveFake } from "@call-media/testing/http";
import { sha256 } from "@noble/hashes/sha2.js";
import * as fc from "fast-check";
import { strFromU8, unzipSync } from "fflate";
import { expect, test } from "vitest";
import { listRecords } from "../src/hand-over/listing.ts";
import { openSource } from "../src/hand-over/receive.ts";
import { createFilter } from "../src/search/checking.ts";
import { toCommand, toWhere } from "../src/search/command.ts";
import { type Query, readPage } from "../src/search/query.ts";

const toBytes = (seed: number) => new Uint8Array(300).map((_, index) => (index * seed) % 251);
const toDigest = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest("hex");

/** Legs of few calls, whose recordings repeat names and bytes, some near midnight and hidden from who searches. */
const LEGS = fc.array(
  fc.record({
    call_id: fc.constantFrom("1", "2", "3", "4"),
    ref_id: fc.constantFrom("r", "s", null),
    hour: fc.constantFrom("00", "05", "12", "18", "23").map(String),
    day: fc.constantFrom("04", "05", "06", "07").map(String),
    offset: fc.constantFrom("", "Z", "-05:00", "+05:45"),
    campaign: fc.constantFrom("Billing", "billing ", "Orders", "Hidden"),
    ani: fc.constantFrom("+49 30 998877", "030/998877", "201", null),
    transcript: fc.constantFrom("a réfund", "nothing", null),
    names: fc.array(fc.constantFrom("a.wav", "b.wav", "a; b.wav", "ü.wav"), { maxLength: 2 }),
    seeds: fc.tuple(fc.integer({ min: 1, max: 3 }), fc.integer({ min: 1, max: 3 })),
  }),
  { minLength: 3, maxLength: 12 },
);

type Legs = typeof LEGS extends fc.Arbitrary<infer Generated> ? Generated : never;

const toCalls = (legs: Legs) =>
  legs.map(({ day, hour, offset, names, seeds, ...leg }, index): FakeCall => ({
    ...leg,
    agent: `agent${index}`,
    datetime: `2026-03-${day}T${hour}:${10 + index}:00${offset}`,
    recordings: names.map((filename, at) => ({ filename, bytes: toBytes(seeds[at] ?? 1) })),
  }));

const LEG = { ref_id: "r", campaign: "Billing", ani: "030/998877" } as const;
const EXAMPLE: Legs = (["", "Z", "-05:00", "+05:45"] as const).flatMap((offset, index) =>
  (["04 23", "05 00", "06 23", "07 00"] as const).map((at): Legs[number] => ({
    ...LEG,
    call_id: index === 3 ? "2" : "1",
    day: at.slice(0, 2),
    hour: at.slice(3),
    offset,
    transcript: index === 2 ? "a réfund" : null,
    names: index === 0 ? ["a.wav", "a.wav"] : ["ü.wav", "a; b.wav"],
    seeds: [1, 2],
  })),
);

const ALL: Query = {
  range: { startDate: "2026-03-05", endDate: "2026-03-06" },
  path: "/metadata/by-custom-fields",
  body: {},
  words: "",
  conditions: [],
};
const SEARCHES: readonly Query[] = [
  ALL,
  { ...ALL, path: "/metadata/search", body: { campaign: "BILLING" } },
  { ...ALL, words: "refund" },
  { ...ALL, conditions: [{ field: "ani", comparison: "==", value: "0049 30 998877" }] },
  { ...ALL, conditions: [{ field: "transcript", comparison: "~", value: "refund" }] },
  { ...ALL, conditions: [{ field: "datetime", comparison: ">=", value: "2026-03-05T23:00:00Z" }] },
];

const USER = { id: 1, allow_all_campaigns: false, allowed_campaigns: ["Billing", "Orders"] };

/** For each record: its agent, who is different in each, and the digests of its recordings. */
type Found = readonly (readonly [agent: string, digests: readonly (string | null)[]])[];

const byAgent = (found: Found): Found => found.toSorted(([one], [other]) => (one < other ? -1 : 1));

/** The recordings of a manifest stand in the order of their records, of each from its first part on. */
function toFound(metadata: string, manifest: string): Found {
  const files: (string | null)[][] = [];
  for (const { kind, part, sha256: digest } of readLines<ManifestEntry>(manifest))
    if (kind === "recording") {
      if (part === 1) files.push([]);
      files.at(-1)?.push(digest);
    }
  return byAgent(
    readLines<CallRecord>(metadata).map(({ agent, recordings }) => [
      agent ?? "",
      (recordings === null ? undefined : files.shift()) ?? [],
    ]),
  );
}

const readLines = <Line>(text: string): Line[] =>
  text
    .split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Line);

async function findInList(service: FakeService, query: Query): Promise<Found> {
  const client = createClient(service.clientOptions);
  const { records } = await readPage(client, query, { pageIndex: 0 });
  const { filter } = createFilter(client, query.conditions, new AbortController().signal);
  const found = (await filter(records)).map(async (record) => {
    const own = await client.recordings.of(record);
    return [record.agent ?? "", own.map((recording) => recording.sha256 ?? null)] as const;
  });
  return byAgent(await Promise.all(found));
}

async function findInHandOver(service: FakeService, query: Query): Promise<Found> {
  const client = createClient(service.clientOptions);
  const { signal } = new AbortController();
  const exported = { query, picked: [], without: [] };
  const listing = await listRecords(client, exported, { signal, onProgress: () => {} });
  const order = {
    listing,
    baseUrl: service.baseUrl,
    filter: query.body,
    words: query.words === "" ? undefined : query.words,
    where: toWhere(exported),
    files: ["recordings", "transcripts"],
    redact: [],
    mute: [],
    purpose: undefined,
    exportedBy: { by: "API key", user: null, program: "test" },
    beganAt: "2026-03-09T00:00:00Z",
    now: () => new Date("2026-03-09T00:00:00Z"),
  } as const;
  const source = await openSource(order, { client, signal, onProgress: () => {} });
  const parts: Uint8Array[] = [];
  await writeHandOver(source, {
    write: async (bytes) => void parts.push(bytes.slice()),
    createDigest: () => sha256.create(),
  });
  const files = unzipSync(Buffer.concat(parts));
  const read = (path: string) => strFromU8(files[`export/${path}`] ?? new Uint8Array());
  return toFound(read("metadata.jsonl"), read("manifest.jsonl"));
}

/** What a shell makes of it. */
const toWords = (line: string) =>
  [...line.matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, bare]) => quoted ?? bare ?? "").slice(1);

type Environment = Readonly<Record<string, string>>;

/** In the folder of an export by the command that the page shows, and by a search of that folder. */
async function findInExport(query: Query, env: Environment): Promise<readonly Found[]> {
  const home = await mkdtemp(join(tmpdir(), "call-media-same-"));
  try {
    const out = join(home, "out");
    const line = toCommand({ query, picked: [] }, [`--out ${out}`]);
    const { code, stderr } = await runCallMedia(toWords(line), { env });
    // 4: it found nothing.
    expect([0, 4], stderr).toContain(code);
    const read = (name: string) => readFile(join(out, name), "utf8");
    const exported = toFound(await read("metadata.jsonl"), await read("manifest.jsonl"));
    const { range, words } = query;
    const search = ["search", "--in", out, "--from", range.startDate, "--to", range.endDate];
    const asked = words === "" ? search : [...search, "--words", words];
    const { stdout } = await runCallMedia([...asked, "--format", "jsonl"], { env });
    const agents = new Set(readLines<CallRecord>(stdout).map(({ agent }) => agent));
    return [exported, exported.filter(([agent]) => agents.has(agent))];
  } finally {
    await rm(home, { recursive: true });
  }
}

/** The agents and the names of recordings that a model reads. */
async function findByTool({ range, body, words, ...query }: Query, env: Environment) {
  const { child, ended } = startCallMedia(["mcp"], { env });
  const send = (message: object) =>
    child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
  const where = toWhere({ query: { range, body, words, ...query }, picked: [] });
  const args = {
    from: range.startDate,
    to: range.endDate,
    fields: ["agent", "recordings"],
    limit: 100,
    ...(Object.keys(body).length > 0 && { filter: body }),
    ...(words !== "" && { words }),
    ...(where !== null && { where }),
  };
  const client = { clientInfo: { name: "test", version: "1" }, capabilities: {} };
  send({ id: 1, method: "initialize", params: { protocolVersion: "2025-06-18", ...client } });
  send({ method: "notifications/initialized" });
  send({ id: 2, method: "tools/call", params: { name: "search_calls", arguments: args } });
  let text = "";
  await new Promise<void>((resolve) => {
    child.stdout.on("data", (chunk: Buffer) => {
      text += chunk.toString();
      if (/"id":2\b[^\n]*\n/.test(text)) resolve();
    });
  });
  child.stdin.end();
  await ended;
  return [...text.matchAll(/(?<=\\n)(agent\d+) \| (.*?)(?= \||\\n)/g)]
    .map(([, agent = "", names = ""]) => [agent, names] as const)
    .toSorted(([one], [other]) => (one < other ? -1 : 1));
}

const SHOWN = fc.record({
  legs: LEGS,
  query: fc.constantFrom(...SEARCHES),
  minutes: fc.constantFrom(0, -300, 345),
});

test("list, hand-over, export, folder and tools find the same calls with the same files", async () => {
  let found = 0;
  await fc.assert(
    fc.asyncProperty(SHOWN, async ({ legs, query, minutes }) => {
      const calls = toCalls(legs);
      const service = createFakeService({
        calls,
        chats: [{ call_id: "2", transcript: "My REFUND?", datetime: "2026-03-05T09:00:00Z" }],
        users: [USER],
        profile: { utcOffsetMinutes: { from: minutes, to: minutes } },
      });
      await using served = await serveFake(service);
      const env = { CALL_MEDIA_BASE_URL: served.baseUrl, CALL_MEDIA_API_KEY: service.apiKey };
      const list = await findInList(service, query);
      const own = list.map(([agent]) => calls.find((call) => call.agent === agent));
      found += list.length;
      expect(own.every((call) => call?.campaign !== "Hidden")).toBe(true);
      expect(list).toEqual(
        own.map((call) => [
          call?.agent,
          call?.recordings?.map(({ bytes }) => toDigest(bytes)) ?? [],
        ]),
      );
      expect(await findInHandOver(service, query)).toEqual(list);
      expect(await findInExport(query, env)).toEqual([list, list]);
      const named = own.map((call) => [
        call?.agent,
        call?.recordings?.map(({ filename }) => filename).join("; ") ?? "",
      ]);
      expect(await findByTool(query, env)).toEqual(named);
    }),
    {
      seed: 1,
      numRuns: 10,
      examples: SEARCHES.map((query) => [{ legs: EXAMPLE, query, minutes: -300 }]),
    },
  );
  expect(found).toBeGreaterThan(20);
});
