// Searches by words that a service refuses (D30): over an archive that has none, which it neither claims nor ignores; and for too many calls.
import { createService } from "../src/index.ts";
import { expect, test } from "vitest";
import { addItems, toCall } from "./support/records.ts";
import { bearer, createWorld, readJson, toRequest } from "./support/world.ts";

test("a beginning that is too short for the calls is refused by its sentence, the same whatever the words are", async () => {
  const { store, service, key } = await createWorld();
  const datetime = "2026-03-02T10:00:00Z";
  const calls = Array.from({ length: 10_001 }, (_, index) =>
    toCall({ call_id: `n${index}`, datetime, notes: "refund" }),
  );
  await addItems(store, calls);
  const ask = async (words: string) => {
    const answer = await service.answer(
      toRequest("/metadata/search", {
        method: "POST",
        query: `pageIndex=0&startDate=2026-03-01&endDate=2026-03-31&words=${words}`,
        headers: { ...bearer(key), "content-type": "application/json" },
        readBody: async () => new TextEncoder().encode("{}"),
      }),
    );
    const { status, headers } = answer;
    return { status, code: headers["X-Error-Code"], body: await readJson(answer) };
  };
  const refused = await ask("re*");
  expect(refused).toMatchObject({
    status: 400,
    code: "CM_SEARCH_TOO_BROAD",
    body: {
      errorMessage:
        "words has a beginning of two letters or digits, for which at most 10,000 calls are looked through: give it a third one, or narrow the days or the filter",
    },
  });
  expect(await ask("qq*")).toEqual(refused);
  expect(await ask("ref*")).toMatchObject({ status: 200 });
});

test.each(["/metadata/search", "/metadata/by-custom-fields"])("%s refuses words", async (path) => {
  const { store, key } = await createWorld();
  const { hasWordSearch: _, ...without } = store;
  const service = createService({ store: without });
  const ask = (query: string) =>
    service.answer(
      toRequest(path, {
        method: "POST",
        query: `pageIndex=0&startDate=2026-03-01&endDate=2026-03-31${query}`,
        headers: { ...bearer(key), "content-type": "application/json", prefer: "words" },
        readBody: async () =>
          new TextEncoder().encode(
            path.endsWith("search") && query === "" ? '{"agent":"a"}' : "{}",
          ),
      }),
    );
  const refused = await ask("&words=refund");
  expect(refused.status).toBe(400);
  expect(await readJson(refused)).toMatchObject({
    errorMessage: "words cannot be searched in this archive",
  });
  expect((await ask("")).status).toBe(200);
});
