// The clean service keeps its document: a walk over all operations compares each response with it.
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { createDocumentCheck } from "@call-media/test-setup/document-check";
import { play, startModelService } from "@call-media/test-setup/model-service";
import { expect, test } from "vitest";
import { createMuseum } from "../src/museum.ts";
import { callers, createMuseumService } from "../src/service.ts";
import { WALK } from "./walk.ts";

const text = readFileSync(new URL("../document/openapi.yaml", import.meta.url), "utf8");

const model = {
  createState: () => createMuseum({ today: "2026-11-02" }),
  createService: createMuseumService,
};

async function playClean(lines: readonly string[]) {
  await using service = await startModelService(model);
  return await play(service.baseUrl, callers, lines);
}

test("the document is version 1.2.1 unchanged", () => {
  expect(createHash("sha256").update(text).digest("hex")).toBe(
    "2d88e96a1860382fa86e15af892c50d95ae81d53324ac9b07aa9e6a72a8974aa",
  );
});

test("every response of a walk is as documented, and every operation is in it", async () => {
  const { check, operationIds } = createDocumentCheck(text);
  const seen = new Set<string>();
  const received = await playClean(WALK.map(([, line]) => line));
  for (const reply of received) {
    const { operationId = "", faults } = check(reply);
    // The document requires credentials everywhere, but lists 401 only once.
    const isBare401 = reply.status === 401 && faults.join() === "status 401 is not documented";
    expect(isBare401 ? [] : faults, reply.line).toEqual([]);
    if (reply.status < 300) seen.add(operationId);
  }
  expect([...seen].toSorted()).toEqual(operationIds.toSorted());
  expect(received.map(({ status, line }) => `${status} ${line}`)).toEqual(
    WALK.map(([status, line]) => `${status} ${line}`),
  );
});

test("pages joined are the list, and both ends of the range belong to it", async () => {
  const range = "startDate=2026-11-03&endDate=2026-12-02";
  const lines = [
    "&limit=30",
    "&limit=30&page=2",
    ...[1, 2, 3, 4, 5, 6].map((page) => `&page=${page}`),
  ];
  const pages = (await playClean(lines.map((end) => `ann GET /special-events?${range}${end}`))).map(
    ({ body }) => JSON.parse(body.toString()) as { eventId: string; dates: string[] }[], // as documented
  );
  const whole = pages.slice(0, 2).flat();
  expect(whole.length).toBeGreaterThan(30);
  expect(pages.slice(2).flat()).toEqual(whole);
  const { events } = createMuseum({ today: "2026-11-02" });
  const isInRange = (date: string) => date >= "2026-11-03" && date <= "2026-12-02";
  const expected = [...events.values()].filter(({ dates }) => dates.some(isInRange));
  expect(whole.map(({ eventId }) => eventId).toSorted()).toEqual(
    expected.map(({ eventId }) => eventId).toSorted(),
  );
  for (const end of ["2026-11-03", "2026-12-02"])
    expect(
      whole.some(({ dates }) => dates.filter(isInRange).join() === end),
      end,
    ).toBe(true);
});

test("ranges begin today and end after seven days unless told otherwise", async () => {
  const [short, long, hours, same] = await playClean([
    "ann GET /special-events?limit=30",
    "ann GET /special-events?limit=30&startDate=2026-11-02&endDate=2026-11-09",
    "ann GET /museum-hours",
    "ann GET /museum-hours?startDate=2026-11-02&page=1&limit=10",
  ]);
  expect(short?.body.toString()).toBe(long?.body.toString());
  expect(hours?.body.toString()).toBe(same?.body.toString());
});
