// The clean service keeps its document: a walk over all operations compares each response with it.
import { createDocumentCheck } from "@call-media/test-setup/document-check";
import { play, startModelService } from "@call-media/test-setup/model-service";
import { expect, test } from "vitest";
import { documentText } from "../src/input.ts";
import { createRailway } from "../src/railway.ts";
import { callers, createRailwayService } from "../src/service.ts";
import { now, WALK } from "./walk.ts";

const model = {
  createState: () => createRailway({ now }),
  createService: createRailwayService,
};

async function playClean<Body>(lines: readonly string[]): Promise<Body[]> {
  await using service = await startModelService(model);
  const received = await play(service.baseUrl, callers, lines);
  return received.map(({ body }) => JSON.parse(body.toString()) as Body); // each test names the type it expects
}

test("every response of a walk is as documented, and every operation is in it", async () => {
  const { check, operationIds } = createDocumentCheck(documentText);
  const seen = new Set<string>();
  await using service = await startModelService(model);
  const received = await play(
    service.baseUrl,
    callers,
    WALK.map(([, line]) => line),
  );
  for (const reply of received) {
    const { operationId = "", faults } = check(reply);
    expect(faults, `${reply.line}: ${reply.body.toString()}`).toEqual([]);
    if (reply.status < 300) seen.add(operationId);
  }
  expect([...seen].toSorted()).toEqual(operationIds.toSorted());
  expect(received.map(({ status, line }) => `${status} ${line}`)).toEqual(
    WALK.map(([status, line]) => `${status} ${line}`),
  );
});

interface Page {
  readonly items: readonly Record<string, unknown>[];
  readonly total: number;
  readonly next: string | null;
  readonly nextCursor: string | null;
}

test.each([
  "/stations?sort=-platforms&size=7",
  "/bookings?size=4&sort=total",
  "/stations?q=e&size=3",
])("the pages of %s are its list", async (path) => {
  const [whole] = await playClean<Page>([`ada GET ${path.replace(/size=\d/, "size=50")}`]);
  const pages: Page[] = [];
  for (let next: string | null = path; next !== null; next = pages.at(-1)?.next ?? null)
    pages.push(...(await playClean<Page>([`ada GET ${next}`])));
  expect(pages.length).toBeGreaterThan(2);
  expect(pages.flatMap(({ items }) => items)).toEqual(whole?.items);
  expect(pages.map(({ total }) => total)).toEqual(pages.map(() => whole?.items.length));
});

test("departures by cursor are the range, and both ends belong to it", async () => {
  const path = "/stations/TAR/departures?from=2026-11-02T08:00:00Z&to=2026-11-02T10:00:00Z";
  const [whole] = await playClean<Page>([`key GET ${path}&limit=100`]);
  const pages: Page[] = [];
  for (let cursor: string | null = ""; cursor !== null; cursor = pages.at(-1)?.nextCursor ?? null) {
    const end = cursor === "" ? "" : `&cursor=${cursor}`;
    pages.push(...(await playClean<Page>([`key GET ${path}&limit=4${end}`])));
  }
  expect(pages.length).toBeGreaterThan(2);
  expect(pages.flatMap(({ items }) => items)).toEqual(whole?.items);
  const times = whole?.items.map(({ departsAt }) => departsAt);
  expect([times?.at(0), times?.at(-1)]).toEqual(["2026-11-02T08:00:00Z", "2026-11-02T10:00:00Z"]);
});

test("a search ignores letter case and accents on both sides", async () => {
  const found = await playClean<Page>(
    ["q=asvik", "q=ÅSVÍK", "q=ZELLTAL"].map((q) => `key GET /stations?${q}`),
  );
  expect(found.map(({ items }) => items.map(({ code }) => code))).toEqual([
    ["ASV"],
    ["ASV"],
    ["ZEL"],
  ]);
});

test("a total is the sum of the fares, and the count is that of the passengers", async () => {
  const [page] = await playClean<Page>(["ada GET /bookings"]);
  for (const { id, total, passengerCount } of page?.items.slice(0, 5) ?? []) {
    const [passengers] = await playClean<{ fare: { cents: number } }[]>([
      `ada GET /bookings/${String(id)}/passengers`,
    ]);
    expect(passengers).toHaveLength(passengerCount as number);
    const cents = passengers?.reduce((sum, { fare }) => sum + fare.cents, 0);
    expect(total).toEqual({ cents, currency: "EUR" });
  }
});

test("each journey can be read, and one that was found with a change has it", async () => {
  const [found] = await playClean<Page>(["key GET /journeys?origin=ASV&destination=LOC"]);
  expect(found?.items.length).toBeGreaterThan(0);
  for (const journey of found?.items ?? []) {
    const [read] = await playClean([`key GET /journeys/${String(journey.id)}`]);
    expect(read).toEqual(journey);
  }
});
