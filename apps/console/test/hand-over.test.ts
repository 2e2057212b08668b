// What a hand-over keeps, counts and refuses while its page leaves calls out of it, is left, and is opened again.
import { createClient } from "@call-media/client";
import { createFakeService, type FakeCall, type FakeService } from "@call-media/testing";
import { beforeEach, expect, onTestFinished, test, vi } from "vitest";
import { hide, HIDDEN_GROUPS } from "../src/hand-over/choices.ts";
import { findObstacle, type Handing } from "../src/hand-over/handing.ts";
import { openHanding } from "../src/hand-over/open-handing.ts";
import { EMPTY_SEARCH, type HandOverRoute } from "../src/route.ts";
import { toCommand, toWhere } from "../src/search/command.ts";
import { readWhere } from "../src/search/language.ts";
import { signedIn, type SignedIn } from "../src/session.ts";

vi.hoisted(() => {
  // The modules of the page ask where it is as they load.
  vi.stubGlobal("location", new URL("https://archive.test/console/"));
  vi.stubGlobal("window", {});
});

beforeEach(() => {
  vi.stubGlobal("window", {});
  vi.stubGlobal("SERVER_VERSION", "1.0.0");
});

const datetime = "2026-03-02T10:00:00Z";
const leg = (call_id: string | null, ref_id: string | null, agent = "a"): FakeCall => ({
  call_id,
  ref_id,
  datetime,
  agent,
});

const CALLS = [
  leg("1", "r"),
  leg("1", "r", "b"),
  leg("1", "s", "c"),
  leg("2", "r"),
  leg(null, "r"),
  leg("3", null, "d"),
];

const ROUTE: HandOverRoute = {
  page: "hand-over",
  search: { ...EMPTY_SEARCH, days: { from: "2026-03-01", to: "2026-03-03" } },
  picked: [],
  without: [],
};

/** The archive as it is at this moment. */
function serve(calls: readonly FakeCall[]) {
  let service = createFakeService({ calls });
  return {
    get options() {
      const { baseUrl, credentials } = service.clientOptions;
      const fetch: FakeService["fetch"] = (...asked) => service.fetch(...asked);
      return { baseUrl, credentials, fetch };
    },
    become: (others: readonly FakeCall[]) => (service = createFakeService({ calls: others })),
  };
}

function signIn(calls: readonly FakeCall[] | ReturnType<typeof serve>, username = "Ann"): SignedIn {
  const { options } = "options" in calls ? calls : serve(calls);
  const { baseUrl } = options;
  const client = createClient(options);
  const who: SignedIn = {
    person: { username, isAdmin: false, by: "API key", ends: undefined },
    access: { kind: "secret", baseUrl, client, headers: async () => ({}) },
  };
  signedIn.value = who;
  return who;
}

async function prepare(handing: Handing) {
  await handing.prepare();
  const { value: step } = handing.step;
  if (step.kind !== "ready") throw new Error(JSON.stringify(step));
  return step;
}

test("a call that is left out changes nothing that was chosen", () => {
  const who = signIn(CALLS);
  const { choices } = openHanding(who, ROUTE);
  choices.value = { ...hide(choices.value, HIDDEN_GROUPS.name, true), purpose: "Legal" };
  const without = [{ call_id: "1" }];
  for (const route of [{ ...ROUTE, without }, ROUTE])
    expect(openHanding(who, route).choices.value).toEqual({
      files: [],
      redact: HIDDEN_GROUPS.name,
      purpose: "Legal",
    });
  // Signed in again after a lock.
  expect(openHanding(signIn(CALLS), { ...ROUTE, without }).choices.value.purpose).toBe("Legal");
});

test("another search, and another user, begin without choices", () => {
  const who = signIn(CALLS);
  const choose = () =>
    (openHanding(who, ROUTE).choices.value = { files: [], redact: [], purpose: "x" });
  choose();
  const other = { ...ROUTE, picked: [{ call_id: "1" }] };
  expect(openHanding(who, other).choices.value.purpose).toBe("");
  choose();
  expect(openHanding(signIn(CALLS, "Ben"), ROUTE).choices.value.purpose).toBe("");
});

test("without the last of the picked calls nothing is handed over", async () => {
  const picked = [{ call_id: "1" }, { ref_id: "r" }];
  const handing = openHanding(signIn(CALLS), { ...ROUTE, picked, without: picked });
  const ready = await prepare(handing);
  expect(ready.listing).toMatchObject({ records: [], ids: { asked: 0, missing: [] } });
  expect(findObstacle(ready, handing.choices.value)).toBe("left out");
  expect(toWhere(handing.selection)).toBe(
    '(call_id == "1" || ref_id == "r" && call_id == null) && call_id != "1" && (ref_id != "r" || call_id != null)',
  );
});

test("a picked call that was left out is not missing", async () => {
  const picked = [{ call_id: "1" }, { call_id: "2" }, { call_id: "NOPE" }];
  const without = [{ call_id: "2" }];
  const handing = openHanding(signIn(CALLS), { ...ROUTE, picked, without });
  const { listing } = await prepare(handing);
  expect(listing).toMatchObject({
    calls: 1,
    ids: { asked: 2, missing: ["NOPE"] },
    leftOut: { calls: ["2"], legs: 1 },
  });
  expect(toCommand(handing.selection, [])).toMatch(/--ids - <<'END'\n1\nNOPE\nEND$/);
});

test("legs that were left out by hand are counted apart from legs that do not match", async () => {
  const where = readWhere('agent != "d" && call_id != "2"');
  const search = { ...ROUTE.search, where: "column" in where ? [] : where };
  const without = [{ call_id: "1" }, { ref_id: "r" }];
  const handing = openHanding(signIn(CALLS), { ...ROUTE, search });
  const all = await prepare(handing);
  expect(all.listing.leftOut).toEqual({ calls: [], legs: 0 });
  expect(all.listing.listed.excluded).toBe(2);
  const less = await prepare(openHanding(signIn(CALLS), { ...ROUTE, search, without }));
  expect(less.listing.leftOut).toEqual({ calls: ["1", "r"], legs: 4 });
  expect(less.listing.listed).toMatchObject({ excluded: 6, rows: 0 });
});

test("a reference that was left out takes no call along that has a call_id", async () => {
  const who = signIn(CALLS);
  const handing = openHanding(who, { ...ROUTE, without: [{ ref_id: "r" }] });
  const { listing } = await prepare(handing);
  expect(listing).toMatchObject({ calls: 3, leftOut: { calls: ["r"], legs: 1 } });
  // So says its report.
  const where = readWhere(toWhere(handing.selection) ?? "");
  const same = { ...ROUTE, search: { ...ROUTE.search, where: "column" in where ? [] : where } };
  const { listing: found } = await prepare(openHanding(who, same));
  expect(found.records).toEqual(listing.records);
});

/** Only the date is not the real one. */
function passMinutes(minutes: number): void {
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + minutes * 60_000 });
  onTestFinished(() => void vi.useRealTimers());
}

/** Chooses a file as a person would, and keeps what is written into it. */
function chooseFile() {
  const written: Uint8Array[] = [];
  const ends: string[] = [];
  const end = (how: string) => async () => void ends.push(how);
  const file = { write: async (bytes: Uint8Array) => void written.push(bytes.slice()) };
  const createWritable = async () => ({ ...file, close: end("close"), abort: end("abort") });
  const showSaveFilePicker = async () => ({ createWritable, remove: end("remove") });
  vi.stubGlobal("window", { showSaveFilePicker });
  return { written, ends };
}

const CORRECTED = [
  { ...leg("1", "r"), campaign: "Corrected" },
  leg("1", "r", "b"),
  ...CALLS.slice(3),
  leg("4", null),
];
const CHANGES = { gone: 1, come: 1, changed: 1, recordings: { were: 0, are: 0 } };

test("calls that changed since they were listed are shown again, and not written as they were", async () => {
  const archive = serve(CALLS);
  const handing = openHanding(signIn(archive), ROUTE);
  const ready = await prepare(handing);
  archive.become(CORRECTED);
  passMinutes(6);
  const { written, ends } = chooseFile();
  await handing.write(ready);
  const { value: step } = handing.step;
  expect(step).toMatchObject({ kind: "ready", changes: CHANGES });
  expect([written, ends]).toEqual([[], ["abort", "remove"]]);
  if (step.kind !== "ready") return;
  await handing.write(step);
  expect(handing.step.value).toMatchObject({ kind: "done", listing: { calls: 5 } });
  expect(ends.at(-1)).toBe("close");
});

test("who comes back after some minutes sees what changed, and what did not is written", async () => {
  const archive = serve(CALLS);
  const who = signIn(archive);
  const handing = openHanding(who, ROUTE);
  const ready = await prepare(handing);
  archive.become(CORRECTED);
  await openHanding(who, ROUTE).refresh();
  expect(handing.step.value).toEqual(ready);
  passMinutes(6);
  await openHanding(who, ROUTE).refresh();
  const { value: step } = handing.step;
  expect(step).toMatchObject({ kind: "ready", changes: CHANGES });
  passMinutes(6);
  chooseFile();
  if (step.kind === "ready") await handing.write(step);
  expect(handing.step.value).toMatchObject({ kind: "done" });
});

test("an archive that cannot be read again leaves no file behind", async () => {
  const archive = serve(CALLS);
  const handing = openHanding(signIn(archive), ROUTE);
  const ready = await prepare(handing);
  archive.become(CALLS).inject({ kind: "status", status: 403, times: Infinity });
  passMinutes(6);
  const { ends } = chooseFile();
  await handing.write(ready);
  expect(handing.step.value.kind).toBe("failed");
  expect(ends).toEqual(["abort", "remove"]);
});

test("signing out forgets what was listed and chosen", async () => {
  const who = signIn(CALLS);
  const handing = openHanding(who, ROUTE);
  await prepare(handing);
  handing.choices.value = { ...handing.choices.value, purpose: "Legal" };
  signedIn.value = undefined;
  signedIn.value = who;
  const { step, choices } = openHanding(who, ROUTE);
  expect([step.value.kind, choices.value.purpose]).toEqual(["reading", ""]);
});
