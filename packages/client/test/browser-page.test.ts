// The client in a page: cookies instead of a secret, a header for requests without fetch, HEAD, and pages by number.
import { afterEach, describe, expect, test, vi } from "vitest";

import {
  AuthenticationError,
  type ClientOptions,
  createClient,
  NotFoundError,
} from "../src/index.ts";
import { createFakeService } from "@call-media/testing";
import { isPage } from "./service.ts";

afterEach(() => vi.unstubAllGlobals());

const calls = Array.from({ length: 120 }, (_, index) => ({
  call_id: `call-${index}`,
  datetime: new Date(Date.UTC(2026, 2, 1) + index * 60_000).toISOString(),
}));
const days = { startDate: "2026-03-01", endDate: "2026-03-31", filter: {} };

describe("signed by the page's cookies", () => {
  function open(): { sent: RequestInit[]; options: ClientOptions } {
    const service = createFakeService({ calls });
    const sent: RequestInit[] = [];
    const fetch = (url: string, init: RequestInit) => {
      sent.push(init);
      return service.fetch(url, init);
    };
    return { sent, options: { baseUrl: service.baseUrl, credentials: "same-origin", fetch } };
  }

  test("no request has an Authorization header, and a 401 is not tried again", async () => {
    const { sent, options } = open();
    await expect(createClient(options).GET("/flags/public")).rejects.toThrow(AuthenticationError);
    expect(sent).toHaveLength(1);
    expect(sent[0]).toMatchObject({ credentials: "same-origin" });
    expect(new Headers(sent[0]?.headers).has("Authorization")).toBe(false);
  });

  test("authorization() rejects, because the client has no secret", async () => {
    await expect(createClient(open().options).authorization()).rejects.toThrow(TypeError);
  });

  // A page's own document cannot be replaced.
  test.skipIf(isPage)(
    "a browser needs no allowSecretInBrowser, and takes a base address relative to the page",
    async () => {
      const { options } = open();
      const fetch = vi.fn<() => Promise<never>>(() => Promise.reject(new Error("offline")));
      vi.stubGlobal("document", {});
      vi.stubGlobal("location", new URL("https://archive.example/console/#/search"));
      const client = createClient({ ...options, baseUrl: "api", maxRetries: 0, fetch });
      await expect(client.GET("/flags/public")).rejects.toThrow("no complete answer");
      expect(fetch).toHaveBeenCalledWith(
        "https://archive.example/console/api/flags/public",
        expect.anything(),
      );
    },
  );
});

describe("the header for other requests", () => {
  test("is one token for all that ask, and another once it was refused", async () => {
    const service = createFakeService();
    const client = createClient(service.clientOptions);
    const [first, second] = await Promise.all([client.authorization(), client.authorization()]);
    expect(first).toMatch(/^Bearer \S+$/);
    expect(second).toBe(first);
    expect(await client.authorization(first)).not.toBe(first);
    expect(service.requests.map(({ operationId }) => operationId)).toEqual([
      "createToken",
      "createToken",
    ]);
  });

  test("is the API key", async () => {
    const { apiKey, baseUrl, fetch } = createFakeService();
    expect(await createClient({ apiKey, baseUrl, fetch }).authorization()).toBe(`Bearer ${apiKey}`);
  });
});

describe("a recording described", () => {
  const recorded = {
    call_id: "recorded",
    recordings: [{ filename: "a.wav", bytes: new Uint8Array(44) }],
  };

  test("has name, type, length and digest, and none of it is sent", async () => {
    const service = createFakeService({ calls: [recorded] });
    const client = createClient(service.clientOptions);
    const whole = await client.recordings.bytes({ call_id: "recorded" });
    const described = await client.recordings.describe({ call_id: "recorded" }).withResponse();
    const { content: _, ...announced } = whole;
    expect(described.data).toEqual(announced);
    expect(service.requests.at(-1)).toMatchObject({ method: "HEAD" });
  });

  test("that is not there is a NotFoundError", async () => {
    const client = createClient(createFakeService().clientOptions);
    await expect(client.recordings.describe({ ref_id: "none" })).rejects.toThrow(NotFoundError);
  });
});

describe("a page by its number", () => {
  test.each([{}, { firstPage: 1 as const }])(
    "counts from 0 and has the total, with the profile %j",
    async (profile) => {
      const service = createFakeService({ calls, profile });
      const search = createClient(service.clientOptions).calls.byCustomFields(days);
      const last = await search.page(2);
      expect(last).toMatchObject({ total: 120 });
      expect(last.records.map(({ call_id }) => call_id)).toEqual(
        Array.from({ length: 20 }, (_, index) => `call-${19 - index}`),
      );
      expect((await search.page(0)).records[0]).toMatchObject({ call_id: "call-119" });
      expect(search.report.verdict).toBe("unfinished");
    },
  );

  test.each<[string, number, "all" | "page", number | undefined]>([
    ["no record", 0, "page", 0],
    ["a few records", 3, "page", 3],
    ["a full page", 50, "all", 50],
    ["several pages of which each counts itself", 120, "page", undefined],
  ])("has the total of %s at once", async (_, count, recordCount, total) => {
    const { clientOptions } = createFakeService({
      calls: calls.slice(0, count),
      profile: { recordCount },
    });
    const search = createClient(clientOptions).calls.byCustomFields(days);
    expect(await search.page(0)).toMatchObject({ total });
  });

  test("is rejected for a search with windowDays", async () => {
    const { clientOptions, baseUrl } = createFakeService({ calls });
    const client = createClient({ ...clientOptions, profile: { baseUrl, endDate: "included" } });
    const search = client.calls.byCustomFields({ ...days, windowDays: 7 });
    await expect(search.page(0)).rejects.toThrow("without windowDays");
  });
});

test("the report of a search has the archive's time zone once a page was read (D34)", async () => {
  const search = createClient(createFakeService({ calls }).clientOptions).calls.byCustomFields(
    days,
  );
  expect(search.report.timeZone).toBeUndefined();
  await search.pages().next();
  expect(search.report.timeZone).toBe("UTC");
});
