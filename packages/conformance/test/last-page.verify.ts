// A last page that comes again past the end, and what only looks like one.
import { fieldsOf } from "@call-media/api";
import { expect, test } from "vitest";
import { checkService } from "../src/index.ts";
import { createService, signedIn, toEnvelope } from "./services.ts";

const credentials = { secretID: "id-of-an-application", secretKey: "a-secret-of-some-length" };

const PAGE = 50;

const none = Object.fromEntries(fieldsOf("MetadataRecord").map((field) => [field, null]));

const toCalls = (count: number) =>
  Array.from({ length: count }, (_, index) => ({
    ...none,
    datetime: "2026-03-01T09:00:00Z",
    call_id: `call-${index}`,
  }));

/** A service of so many calls, all of one day, which gives that page for each pageIndex. */
const createPaging = (count: number, toPage: (pageIndex: number) => number) =>
  createService(
    signedIn(({ method, url: { pathname, searchParams } }) => {
      const isSearch = pathname.startsWith("/metadata/") && method === "POST";
      const isDay =
        String(searchParams.get("startDate")) <= "2026-03-01" &&
        String(searchParams.get("endDate")) >= "2026-03-01";
      const first = toPage(Number(searchParams.get("pageIndex"))) * PAGE;
      const calls = isSearch && isDay ? toCalls(count).slice(first, first + PAGE) : [];
      return { body: toEnvelope(calls) };
    }),
  );

async function findTwice(count: number, toPage: (pageIndex: number) => number) {
  const target = { ...createPaging(count, toPage), credentials };
  const { findings, profile } = await checkService(target, { against: "decisions" });
  const faults = findings.filter(({ requirement }) => requirement === "page.distinct");
  return { isTwice: faults.length > 0, profile };
}

test.each([
  ["a short one", 80],
  ["a full one", 100],
  ["a full one, as far as is read", 400],
])("a last page that comes again past the end is no record twice: %s", async (_, count) => {
  const last = Math.ceil(count / PAGE) - 1;
  expect(await findTwice(count, (page) => Math.min(page, last))).toMatchObject({
    isTwice: false,
    profile: { firstPage: 0 },
  });
});

test.each<[string, (pageIndex: number) => number]>([
  ["for every pageIndex", () => 0],
  ["amid the others", (page) => (page > 1 ? page - 1 : page)],
])("a full page that comes again %s has its records twice", async (_, toPage) => {
  expect((await findTwice(200, toPage)).isTwice).toBe(true);
});
