// From the kit to the client: what was observed of an unknown service is written down, and a client that is given it reads
// that service as it reads our own.
import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import type { ServiceProfile } from "@call-media/api";
import { type CallMediaClient, createClient, InvalidRequestError } from "@call-media/client";
import { checkService } from "@call-media/conformance";
import { openStore } from "@call-media/store/sqlite";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type DemoAccess, makeDemoArchive, startService } from "../src/demo-service.ts";
import { repository } from "../src/workspace.ts";
import { startVariant } from "./conformance-variant.ts";

const PROGRAM = join(repository, "packages/cli/src/main.ts");
const ALL_DAYS = { startDate: "1970-01-01", endDate: "2099-12-30", filter: {} };

const stack = new AsyncDisposableStack();
let access: DemoAccess;
let ours: string;
let variant: string;
let profile: ServiceProfile;
beforeAll(async () => {
  const archive = stack.use(await makeDemoArchive());
  access = archive.access;
  const store = stack.use(await openStore({ directory: archive.directory }));
  ours = stack.use(await startService(store)).baseUrl;
  variant = stack.use(await startVariant(ours)).baseUrl;
  profile = await probe(variant);
});
afterAll(() => stack.disposeAsync());

/** What `call-media probe --profile-out` writes of a service. */
async function probe(baseUrl: string): Promise<ServiceProfile> {
  const folder = await mkdtemp(join(tmpdir(), "call-media-profile-"));
  const file = join(folder, "profile.json");
  const { secretID, secretKey } = access.credentials;
  const env = {
    ...process.env,
    CALL_MEDIA_SECRET_ID: secretID,
    CALL_MEDIA_SECRET_KEY: secretKey,
  };
  const args = [PROGRAM, "probe", "--base-url", baseUrl, "--profile-out", file];
  await promisify(execFile)(process.execPath, args, { env });
  const text = await readFile(file, "utf8");
  await rm(folder, { recursive: true });
  return JSON.parse(text); // as a user of the client reads it
}

const clientOf = (baseUrl: string, known?: ServiceProfile) =>
  createClient({ baseUrl, credentials: access.credentials, profile: known });

/** Every record, as text. */
async function readAll(records: AsyncIterable<unknown>): Promise<string[]> {
  const found: string[] = [];
  for await (const record of records) found.push(JSON.stringify(record));
  return found;
}

const readDays = ({ calls }: CallMediaClient, search = ALL_DAYS) =>
  readAll(calls.byCustomFields(search));

test("the variant keeps the interface, and its profile says what it does otherwise", async () => {
  const { credentials } = access;
  const { verdict, findings } = await checkService({ baseUrl: variant, credentials });
  expect(findings.map(({ requirement, fault }) => `${requirement}: ${fault}`)).toEqual([]);
  expect(verdict).toBe("kept");
  expect(profile).toMatchObject({
    baseUrl: variant,
    firstPage: 1,
    pageSize: 50,
    pastTheEndStatus: 404,
    recordCount: "page",
    endDate: "excluded",
    streamRanges: false,
    streamDigest: false,
  });
});

test("the profile of our own service is as the decisions have it, and leaves nothing open", async () => {
  const own = await probe(ours);
  expect(own).toMatchObject({
    baseUrl: ours,
    firstPage: 0,
    pageSize: 50,
    pastTheEndStatus: 200,
    recordCount: "all",
    order: "newest-first",
    endDate: "included",
    ignoresCase: true,
    ignoresOuterSpaces: true,
    matchesBeginning: false,
    matchesEnd: false,
    ignoresPhoneNotation: true,
    streamRanges: true,
    streamDigest: true,
  });
  const { utcOffsetMinutes, tokenLifeS } = own;
  expect(utcOffsetMinutes?.from).toBeLessThanOrEqual(0);
  expect(utcOffsetMinutes?.to).toBeGreaterThanOrEqual(0);
  expect(Math.abs((tokenLifeS ?? 0) - 3600)).toBeLessThan(5);
  expect(Object.entries(own).filter(([, value]) => value === null)).toEqual([]);
});

test("without the profile a client finds out where pages begin and end, but not which days a range has", async () => {
  expect(await readDays(clientOf(variant))).toEqual(await readDays(clientOf(ours)));
  const oneDay = { ...ALL_DAYS, startDate: "2026-03-02", endDate: "2026-03-02" };
  await expect(readDays(clientOf(variant), oneDay)).rejects.toThrow(InvalidRequestError);
});

test("with the profile it reads every record once, as it reads our own service", async () => {
  const expected = await readDays(clientOf(ours));
  expect(expected.length).toBeGreaterThan(150);
  expect(await readDays(clientOf(variant, profile))).toEqual(expected);
});

test("day by day it reads the days of our own service, and every record is of one", async () => {
  const client = clientOf(variant, profile);
  const records = (await readDays(clientOf(ours))).map((text) => JSON.parse(text));
  const days = [...new Set(records.map(({ datetime }) => String(datetime).slice(0, 10)))].slice(
    0,
    9,
  );
  for (const day of days) {
    const search = { ...ALL_DAYS, startDate: day, endDate: day };
    const expected = await readDays(clientOf(ours), search);
    expect(expected.length).toBeGreaterThan(0);
    expect(await readDays(client, search), day).toEqual(expected);
  }
});

test("a search by named fields ends rightly too", async () => {
  const search = { ...ALL_DAYS, filter: { media: "voice" } };
  const read = ({ calls }: CallMediaClient) => readAll(calls.search(search));
  const expected = await read(clientOf(ours));
  expect(expected.length).toBeGreaterThan(50);
  expect(await read(clientOf(variant, profile))).toEqual(expected);
});
