// The records of a search that are here, as pages of it arrive.
import { type CallRecord } from "@call-media/client";
import { expect, test } from "vitest";
import { createPages } from "../src/search/pages.ts";

// Only what tells legs apart.
const toRecords = (...ids: readonly string[]) => ids.map((call_id) => ({ call_id }) as CallRecord);

const toKind = ({ completeness }: ReturnType<typeof createPages>) => completeness.value?.kind;

test("pages are in order, whatever comes first, and complete with the last one", () => {
  const pages = createPages();
  expect(toKind(pages)).toBeUndefined();
  const [first, second] = [toRecords("a", "b"), toRecords("c")];
  pages.add(1, { records: second, total: 3 }, second);
  pages.show();
  expect(toKind(pages)).toBe("partly");
  pages.add(0, { records: first, total: 3 }, first.slice(1));
  pages.show();
  expect(toKind(pages)).toBe("complete");
  expect([...pages.loaded()].map(([, { call_id }]) => call_id)).toEqual(["a", "b", "c"]);
  expect([...pages.found()].map(([, { call_id }]) => call_id)).toEqual(["b", "c"]);
});

test("a record on two pages, or another total, says that the archive changed; the first total stays", () => {
  const repeated = createPages();
  repeated.add(0, { records: toRecords("a", "b"), total: 4 }, []);
  repeated.add(1, { records: toRecords("b", "c"), total: 4 }, []);
  repeated.show();
  expect(toKind(repeated)).toBe("changed");
  const grown = createPages();
  grown.add(0, { records: toRecords("a"), total: 2 }, []);
  grown.add(1, { records: toRecords("b"), total: 3 }, []);
  grown.show();
  expect([toKind(grown), grown.total.value]).toEqual(["changed", 2]);
});
