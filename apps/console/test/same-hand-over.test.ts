// The page and the command line hand over the same bytes: both over one service, at one time, and in one name.
import { hash } from "node:crypto";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type CallRecord, createClient } from "@call-media/client";
import {
  type CallSelector,
  type CallSpan,
  type Field,
  FILE_KINDS,
  type FileKind,
  type Report,
  writeHandOver,
} from "@call-media/handover";
import { runCallMedia } from "@call-media/test-setup/call-media";
import { toWave } from "@call-media/test-setup/sounds";
import { createFakeService } from "@call-media/testing";
import { serveFake } from "@call-media/testing/http";
import { sha256 } from "@noble/hashes/sha2.js";
import { strFromU8, unzipSync } from "fflate";
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test, vi } from "vitest";
import { listRecords } from "../src/hand-over/listing.ts";
import { openSource } from "../src/hand-over/receive.ts";
import { quote, toCommand, toWhere } from "../src/search/command.ts";
import { type Query, toQuery } from "../src/search/query.ts";
import { toHandOver } from "../src/search/to-hand-over.ts";
import { EMPTY_SEARCH } from "../src/route.ts";

const toBytes = (length: number, seed: number) =>
  new Uint8Array(length).map((_, index) => (index * seed) % 251);

const day = (index: number) => String(1 + (index % 28)).padStart(2, "0");

/** So many that the command line searches day by day; some near midnight, in other zones than the archive. */
const CALLS = Array.from({ length: 210 }, (_, index) => ({
  call_id: index % 40 === 3 ? "5000" : String(5000 + index),
  datetime: `2026-0${index % 2 === 0 ? 3 : 4}-${day(index)}T23:${String(index % 60).padStart(2, "0")}:00${["Z", "-05:00", "+02:00"][index % 3]}`,
  agent: `agent-${index % 7}`,
  ani: index % 5 === 0 ? "+49 30 998877" : "201",
  dnis: index % 5 === 1 ? "030/998877" : null,
  campaign: index % 9 === 0 ? "Billing" : "Orders",
  customer_last_name: "Quincy",
  transcript: index % 3 === 0 ? `Quincy has a complaint ${"about the bill ".repeat(index)}` : null,
  recordings:
    index % 6 === 0
      ? [
          {
            filename: `r${index}.wav`,
            bytes:
              index % 12 === 0
                ? toWave({ seconds: 3, comment: `call ${index}` })
                : toBytes(40_000 + index, index + 1),
          },
        ]
      : [],
}));
const CHATS = ["5000", "5007", "5012", "5013"].map((call_id) => ({
  call_id,
  label: "Agent",
  transcript: "Here is Quincy",
  datetime: "2026-03-02T09:00:05Z",
}));

const service = createFakeService({
  calls: CALLS,
  chats: CHATS,
});
/** Sockets need a clock that goes: only what is written of the present is always the same. */
function stopClock(): void {
  const toISOString: (this: Date) => string = Reflect.get(Date.prototype, "toISOString");
  const at = new Date();
  const HOUR_MS = 3_600_000;
  vi.spyOn(Date.prototype, "toISOString").mockImplementation(function (this: Date) {
    return toISOString.call(Math.abs(this.getTime() - at.getTime()) < HOUR_MS ? at : this);
  });
}

let served: Awaited<ReturnType<typeof serveFake>>;
beforeAll(async () => {
  served = await serveFake(service);
});
beforeEach(stopClock);
afterAll(() => served.close());

const ALL: Query = {
  range: { startDate: "2026-03-01", endDate: "2026-04-30" },
  path: "/metadata/by-custom-fields",
  body: {},
  words: "",
  conditions: [],
};

const BILLING: Query = { ...ALL, path: "/metadata/search", body: { campaign: "Billing" } };

const REFUSED = {
  kind: "status",
  status: 403,
  operation: ["streamRecordingByCallId", "getRecordingByCallId"],
  times: Infinity,
} as const;

/** As the list has it. */
const toPicked = ({ call_id, datetime }: (typeof CALLS)[number]) =>
  ({ call_id, datetime }) as CallRecord;

interface Case {
  readonly query: Query;
  readonly picked?: readonly CallRecord[];
  readonly without?: readonly CallSelector[];
  readonly redact?: readonly Field[];
  readonly files?: readonly FileKind[];
  readonly purpose?: string;
  readonly mute?: readonly CallSpan[];
  /** True if what is to be muted cannot be. */
  readonly isUnmutable?: boolean;
  /** Whether the service gives no recording. */
  readonly isRefused?: boolean;
}

/** As a shell reads the line: what goes to descriptor 3 is in a file. */
async function toArguments(line: string, folder: string) {
  const [first = "", ...rest] = line.split("\n");
  const spans = join(folder, "spans.json");
  let input = "";
  for (const [, at, end = ""] of first.matchAll(/(\d?)<<'(\w+)'/g)) {
    const document = rest.splice(0, rest.indexOf(end));
    rest.shift();
    if (at === "3") await writeFile(spans, document.join("\n"));
    else input = document.join("\n");
  }
  const words = first.replaceAll(/ \d?<<'\w+'/g, "").replace("/dev/fd/3", spans);
  const args = [...words.matchAll(/'([^']*)'|(\S+)/g)].map(
    ([, quoted, bare]) => quoted ?? bare ?? "",
  );
  return { args: args.slice(1), input };
}

/** By the command that the page shows for it. */
async function byCommand(one: Case): Promise<Buffer> {
  const { redact = [], files = FILE_KINDS, mute = [], purpose } = one;
  const folder = await mkdtemp(join(tmpdir(), "call-media-same-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  const file = join(folder, "same.zip");
  const options = [
    ...(redact.length === 0 ? [] : [`--redact ${redact.join(",")}`]),
    ...(purpose === undefined ? [] : [`--for ${quote(purpose)}`]),
  ];
  const line = toCommand({ ...toSelection(one), mute }, [
    `--hand-over ${file} --files ${files.join(",")}`,
    ...options,
  ]);
  const { args, input } = await toArguments(line, folder);
  const env = { CALL_MEDIA_BASE_URL: served.baseUrl, CALL_MEDIA_API_KEY: service.apiKey };
  const { code, stderr } = await runCallMedia(args, { env: { ...process.env, ...env }, input });
  expect([0, 3], stderr).toContain(code);
  return await readFile(file);
}

/** As the page of the hand-over has it, which the list leads to. */
function toSelection({ query, picked = [], without = [] }: Case) {
  const { search, picked: selectors } = toHandOver(EMPTY_SEARCH, query.range, picked);
  const range = toQuery(search, "").range;
  return { query: { ...query, range }, picked: selectors, without };
}

async function byPage(one: Case, { exportedBy, beganAt, finishedAt }: Report) {
  const { redact = [], files = FILE_KINDS, mute = [], purpose } = one;
  const selection = toSelection(one);
  const { query } = selection;
  const { baseUrl } = served;
  const client = createClient({ baseUrl, apiKey: service.apiKey });
  const { signal } = new AbortController();
  const listing = await listRecords(client, selection, { signal, onProgress: () => {} });
  const source = await openSource(
    {
      listing,
      baseUrl,
      filter: query.body,
      words: query.words === "" ? undefined : query.words,
      where: toWhere(selection),
      files,
      redact,
      mute,
      purpose,
      exportedBy,
      beganAt,
      now: () => new Date(finishedAt),
    },
    { client, signal, onProgress: () => {} },
  );
  const parts: Uint8Array[] = [];
  const handedOver = await writeHandOver(source, {
    write: async (bytes) => void parts.push(bytes.slice()),
    createDigest: () => sha256.create(),
  });
  return { ...handedOver, zip: Buffer.concat(parts) };
}

test.each<readonly [string, Case]>([
  ["a search that the command line cuts into days", { query: ALL, files: ["recordings"] }],
  [
    "a field and words",
    {
      query: { ...BILLING, words: "complaint" },
    },
  ],
  ["recordings that are refused", { query: BILLING, isRefused: true }],
  ["a purpose", { query: BILLING, purpose: "Legal, case 2026-118" }],
  [
    "masked fields, and a purpose that repeats one",
    { query: BILLING, redact: ["customer_last_name"], purpose: "Complaint of Mrs Quincy" },
  ],
  [
    "a condition that leaves out legs, with masks",
    {
      query: { ...ALL, conditions: [{ field: "agent", comparison: "==", value: "agent-3" }] },
      redact: ["customer_last_name"],
      files: ["transcripts"],
    },
  ],
  [
    "a condition",
    { query: { ...ALL, conditions: [{ field: "agent", comparison: "==", value: "agent-3" }] } },
  ],
  [
    "picked calls",
    { query: ALL, picked: CALLS.filter(({ call_id }) => /^50[0-3]/.test(call_id)).map(toPicked) },
  ],
  [
    "a search without calls that were left out by hand",
    { query: ALL, without: [{ call_id: "5000" }, { call_id: "5007" }] },
  ],
  [
    "picked calls without some that were left out by hand",
    {
      query: ALL,
      picked: CALLS.filter(({ call_id }) => /^50[0-3]/.test(call_id)).map(toPicked),
      without: [{ call_id: "5000" }],
    },
  ],
  [
    "picked calls of a search with a condition",
    {
      query: {
        ...BILLING,
        words: "complaint",
        conditions: [{ field: "ani", comparison: "==", value: "201" }],
      },
      picked: CALLS.map(toPicked),
    },
  ],
  [
    "muted places, of which one recording is none, one is shorter, and one is not there",
    {
      query: ALL,
      picked: CALLS.filter(({ call_id }) => /^50[0-3]/.test(call_id)).map(toPicked),
      mute: [
        { call_id: "5012", part: 1, from: 0.5, to: 1.5, reason: "it's the card's number" },
        { call_id: "5006", part: 1, from: 1, to: 2 },
        { call_id: "5024", part: 3, from: 1, to: 2 },
        { call_id: "5036", part: 1, from: 0, to: 900 },
      ],
      isUnmutable: true,
    },
  ],
  [
    "muted places of a search",
    { query: ALL, mute: [{ call_id: "5012", part: 1, from: 1, to: 2.5 }] },
  ],
  [
    "muted places whose recordings are left out",
    {
      query: ALL,
      files: ["transcripts"],
      mute: [{ call_id: "5012", part: 1, from: 1, to: 2.5 }],
    },
  ],
  [
    "a telephone number, which other fields have as well",
    { query: { ...ALL, conditions: [{ field: "ani", comparison: "==", value: "030 998877" }] } },
  ],
])("%s: the same bytes, hence one seal", async (_, one) => {
  if (one.isRefused === true) onTestFinished(service.inject(REFUSED));
  const zip = await byCommand(one);
  const files = unzipSync(zip);
  const report = JSON.parse(strFromU8(files["export/report.json"] ?? new Uint8Array())) as Report;
  const other = await byPage(one, report);
  const others = unzipSync(other.zip);
  expect(Object.keys(others)).toEqual(Object.keys(files));
  for (const path of Object.keys(files).filter((name) => /\.jsonl?$/.test(name)))
    expect(strFromU8(others[path] ?? new Uint8Array()), path).toBe(
      strFromU8(files[path] ?? new Uint8Array()),
    );
  expect(other.report.mute?.asked).toBe(
    one.files?.includes("recordings") === false ? undefined : one.mute?.length,
  );
  expect(other.report.records.written).toBeGreaterThan(10);
  expect(report.files.refused > 0).toBe(one.isRefused === true || one.isUnmutable === true);
  expect(other.zip.equals(zip)).toBe(true);
  expect(other.seal).toBe(hash("sha256", zip));
});
