// A service over an archive that does not search by words: it neither says that they were applied nor ignores them (D30).
import { createService } from "../src/index.ts";
import { expect, test } from "vitest";
import { bearer, createWorld, readJson, toRequest } from "./support/world.ts";

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
