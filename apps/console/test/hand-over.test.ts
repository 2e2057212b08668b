// What a hand-over keeps, counts and refuses while its page leaves calls out of it, is left, and is opened again.
import { createClient } from "@call-media/client";
import { createFakeService, type FakeCall } from "@call-media/testing";
import { expect, test, vi } from "vitest";
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

function signIn(calls: readonly FakeCall[], username = "Ann"): SignedIn {
  const service = createFakeService({ calls });
  const { baseUrl } = service;
  const client = createClient(service.clientOptions);
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

test("what was left out by hand is told from what does not match, in legs", async () => {
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
