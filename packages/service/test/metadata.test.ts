// Call records: by identifier, searched by page (D02, D06-D11, D15, D27).
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { fieldsOf } from "@call-media/api";
import {
  ALLOWED_ALL,
  startTestService,
  type TestService,
  toCall,
  bodyOf,
} from "./support/service.ts";

let service: TestService;
let key: string;

const MARCH = "startDate=2026-03-01&endDate=2026-03-31";

beforeAll(async () => {
  service = await startTestService({ timeZone: "Europe/London" });
  ({ key } = await service.addUser(ALLOWED_ALL));
  const many = Array.from({ length: 120 }, (_, index) =>
    toCall({
      call_id: `many-${index}`,
      datetime: `2026-03-0${1 + Math.floor(index / 20)}T10:00:00Z`,
      campaign: "Billing",
      custom_field_7: index % 3 === 0 ? "gold" : "blue",
      talk_time: index,
    }),
  );
  await service.add(
    ...many,
    toCall({
      call_id: "solo",
      ref_id: "ref-solo",
      datetime: "2026-06-30T23:30:00Z",
      phone_number1: "+1 (555) 010-0199",
    }),
    toCall({ call_id: "undated", ref_id: "ref-undated" }),
    {
      ...toCall({ call_id: "other", datetime: "2026-06-01T12:00:00+02:00" }),
      sessionId: "s-1",
      masterId: "m-1",
    },
  );
});
afterAll(() => service[Symbol.asyncDispose]());

const search = (query: string, body: unknown, headers?: Record<string, string>) =>
  service.post(`/metadata/search?${query}`, key, body, headers);
const byCustomFields = (query: string, body: unknown) =>
  service.post(`/metadata/by-custom-fields?${query}`, key, body);
const idsOf = async (response: Response) =>
  (await bodyOf(response)).data.map(({ call_id }) => call_id ?? "");

test("every answer with call records names the time zone of the archive (D34)", async () => {
  const answers = await Promise.all([
    service.get("/metadata/by-call-id/nobody", key),
    service.get("/metadata/by-reference/s-1", key),
    search(`pageIndex=0&${MARCH}`, { campaign: "billing" }),
    byCustomFields(`pageIndex=0&${MARCH}`, {}),
  ]);
  for (const { headers } of answers) expect(headers.get("Archive-Time-Zone")).toBe("Europe/London");
});

describe("by identifier", () => {
  test("a record has every field of the contract in its order, null where there is nothing", async () => {
    const body = await bodyOf(await service.get("/metadata/by-call-id/solo", key));
    expect(body).toMatchObject({ isError: false, errorMessage: null });
    expect(Object.keys(body)).toEqual(["isError", "errorMessage", "data"]);
    expect(Object.keys(body.data[0] ?? {})).toEqual(fieldsOf("MetadataRecord"));
    expect(body.data[0]).toMatchObject({
      call_id: "solo",
      datetime: "2026-06-30T23:30:00Z",
      agent: null,
    });
  });

  test("reference, session and master identifier reach the same record", async () => {
    for (const [reference, callId] of [
      ["ref-solo", "solo"],
      ["ref-undated", "undated"],
      ["s-1", "other"],
      ["m-1", "other"],
    ]) {
      expect(await idsOf(await service.get(`/metadata/by-reference/${reference}`, key))).toEqual([
        callId,
      ]);
    }
  });

  test("an identifier that nothing has is 200 with no records", async () => {
    const response = await service.get("/metadata/by-call-id/nobody", key);
    expect(response.status).toBe(200);
    expect(await response.json()).toEqual({ isError: false, errorMessage: null, data: [] });
  });
});

describe("search", () => {
  test("pages of 50 in a total order, the rest announced by Link", async () => {
    const seen: string[] = [];
    let next: string | undefined = `/metadata/search?pageIndex=0&${MARCH}`;
    const sizes: number[] = [];
    while (next !== undefined) {
      const response: Response = await service.post(next, key, { campaign: "billing" });
      const ids = await idsOf(response);
      sizes.push(ids.length);
      seen.push(...ids);
      next = /<(.*)>; rel="next"/.exec(response.headers.get("link") ?? "")?.[1];
    }
    expect(sizes).toEqual([50, 50, 20]);
    const newestDayFirst = [5, 4, 3, 2, 1, 0].flatMap((day) =>
      Array.from({ length: 20 }, (_, index) => `many-${day * 20 + index}`),
    );
    expect(seen).toEqual(newestDayFirst);
  });

  test("the response has the count if the request prefers it", async () => {
    const counted = await search(
      `pageIndex=2&${MARCH}`,
      { campaign: "BILLING " },
      { Prefer: "respond-async, count=exact" },
    );
    expect(counted.headers.get("content-range")).toBe("records 100-119/120");
    expect(counted.headers.get("preference-applied")).toBe("count=exact");
    const past = await search(
      `pageIndex=9&${MARCH}`,
      { campaign: "Billing" },
      { Prefer: "count=exact" },
    );
    expect(past.headers.get("content-range")).toBe("records */120");
    expect(await idsOf(past)).toEqual([]);
    const estimated = await search(
      `pageIndex=0&${MARCH}`,
      { campaign: "Billing" },
      { Prefer: "count=estimated, no-count=exact" },
    );
    expect(estimated.headers.get("preference-applied")).toBeNull();
    const plain = await search(`pageIndex=0&${MARCH}`, { campaign: "Billing" });
    expect(plain.headers.get("content-range")).toBeNull();
    expect(Object.keys(await bodyOf(plain))).toEqual(["isError", "errorMessage", "data"]);
  });

  test("integers match as integers, phone numbers by their digits", async () => {
    expect(await idsOf(await search(`pageIndex=0&${MARCH}`, { talk_time: 17 }))).toEqual([
      "many-17",
    ]);
    const july = "pageIndex=0&startDate=2026-07-01&endDate=2026-07-01";
    expect(await idsOf(await search(july, { phone_number1: "15550100199" }))).toEqual(["solo"]);
  });

  test("a day is a day of the archive's time zone: half past eleven in UTC is tomorrow in a London summer", async () => {
    const on = (day: string) =>
      search(`pageIndex=0&startDate=${day}&endDate=${day}`, { phone_number1: "15550100199" });
    expect(await idsOf(await on("2026-06-30"))).toEqual([]);
    expect(await idsOf(await on("2026-07-01"))).toEqual(["solo"]);
  });
});

describe("by custom fields", () => {
  test("page, echo and exact count stand in the envelope", async () => {
    const response = await byCustomFields(`pageIndex=0&${MARCH}`, { custom_field_7: "Gold" });
    const body = await bodyOf(response);
    expect(Object.keys(body)).toEqual(["isError", "errorMessage", "data", "pageID", "recordCount"]);
    expect(body).toMatchObject({ pageID: 0, recordCount: 40 });
    expect(body.data).toHaveLength(40);
    expect(response.headers.get("link")).toBeNull();
  });

  test("no filter gives the whole range; a page past the end is empty and still counted", async () => {
    const first = await bodyOf(await byCustomFields(`pageIndex=0&${MARCH}`, {}));
    expect(first).toMatchObject({ pageID: 0, recordCount: 120 });
    expect(first.data).toHaveLength(50);
    const past = await bodyOf(await byCustomFields(`pageIndex=77&${MARCH}`, {}));
    expect(past).toMatchObject({ isError: false, pageID: 77, recordCount: 120, data: [] });
  });

  test("a record without a datetime is in no range", async () => {
    const ever = "pageIndex=0&startDate=1900-01-01&endDate=2200-12-31";
    expect(await bodyOf(await byCustomFields(ever, {}))).toMatchObject({ recordCount: 122 });
    expect(await idsOf(await search(ever, { call_id: "undated" }))).toEqual([]);
  });
});
