// Searching by words (D30): what is found, what the headers say, and what is refused.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  ALLOWED_ALL,
  bodyOf,
  startTestService,
  type TestService,
  toCall,
} from "./support/service.ts";

const DAYS = "pageIndex=0&startDate=2026-03-01&endDate=2026-03-31";
const AT = "2026-03-05T10:00:00Z";

let service: TestService;
let key: string;

beforeAll(async () => {
  service = await startTestService();
  ({ key } = await service.addUser(ALLOWED_ALL));
  const many = Array.from({ length: 60 }, (_, index) =>
    toCall({ call_id: `many-${index}`, datetime: AT, notes: "estimated reading" }),
  );
  await service.add(
    ...many,
    toCall({
      call_id: "leila",
      datetime: AT,
      campaign: "Billing",
      customer_first_name: "Leïla",
      customer_last_name: "Benali",
      phone_number1: "6145550121",
    }),
  );
});
afterAll(() => service[Symbol.asyncDispose]());

const SEARCHES = ["/metadata/search", "/metadata/by-custom-fields"] as const;

const ask = (
  path: string,
  words: string,
  headers: Record<string, string> = {},
  body: object = {},
) => service.post(`${path}?${DAYS}&words=${encodeURIComponent(words)}`, key, body, headers);

describe.each(SEARCHES)("%s", (path) => {
  test.each(["leila benali", '"LEÏLA benali"', "ben*", "+1 614 555 0121"])(
    "finds %s",
    async (words) => {
      const { data } = await bodyOf(await ask(path, words));
      expect(data.map(({ call_id }) => call_id)).toEqual(["leila"]);
    },
  );

  test("says that words were applied where that is preferred, and where there are words", async () => {
    const applied = async (words: string | undefined, Prefer: string) => {
      const query = words === undefined ? "" : `&words=${words}`;
      const body = { [path.endsWith("search") ? "campaign" : "custom_field_1"]: "billing" };
      const answer = await service.post(`${path}?${DAYS}${query}`, key, body, { Prefer });
      expect([answer.status, answer.headers.get("Vary")]).toEqual([200, "Prefer"]);
      return answer.headers.get("Preference-Applied");
    };
    const isCounted = path.endsWith("search");
    expect(await applied("leila", "words")).toBe("words");
    expect(await applied("leila", "handling=lenient, Words;q=1")).toBe("words");
    expect(await applied("leila", "count=exact, words")).toBe(
      isCounted ? "count=exact, words" : "words",
    );
    expect(await applied("leila", "count=exact")).toBe(isCounted ? "count=exact" : null);
    expect(await applied(undefined, "words")).toBe(null);
    expect(await applied("leila", "handling=lenient")).toBe(null);
  });

  test("the next page asks for the same words", async () => {
    const answer = await ask(path, '"estimated reading" read*');
    const { data } = await bodyOf(answer);
    const [, next = ""] = /^<([^>]+)>/.exec(answer.headers.get("Link") ?? "") ?? [];
    const { data: others } = await bodyOf(await service.post(next, key, {}));
    expect([data.length, others.length]).toEqual([50, 10]);
  });

  test.each([
    ["words=", "words must not be empty"],
    ["words=-", "words has no word in it"],
    ["words=%22leila", "words has a quotation mark that is not closed"],
    ["words=r*", "words has a * after fewer than 2 characters"],
    ["words=re**", "words has a * that does not end a word"],
    ["words=a%00b", "words has a control character"],
    ["words=%ED%A0%80", "words must be percent-encoded UTF-8"],
    ["words=a%FFb", "words must be percent-encoded UTF-8"],
    ["words=a&words=b", "words must be given once"],
    [`words=${"x+".repeat(33)}`, "words has 33 words; at most 32 are allowed"],
    [`words=${"x".repeat(1001)}`, "words must have at most 1000 characters"],
  ])("refuses %s", async (query, message) => {
    const answer = await service.post(`${path}?${DAYS}&${query}`, key, {});
    expect([answer.status, answer.headers.get("X-Error-Code")]).toEqual([
      400,
      "CM_PARAMETER_INVALID",
    ]);
    expect(await bodyOf(answer)).toMatchObject({ isError: true, errorMessage: message, data: [] });
  });

  test("U+FFFD, a percent sign and 1,000 characters of four bytes are words like others", async () => {
    for (const query of ["words=a%EF%BF%BDb", "words=a%zz", `words=${"%F0%90%90%B7".repeat(1000)}`])
      expect((await service.post(`${path}?${DAYS}&${query}`, key, {})).status).toBe(200);
  });

  test("rights hold: a hidden call is answered like one that does not exist", async () => {
    const { key: narrow } = await service.addUser({
      ...ALLOWED_ALL,
      allow_all_campaigns: false,
      allowed_campaigns: ["Sales"],
    });
    const answers = await Promise.all(
      ["leila", "xyzzy", "lei*", "0121"].map(async (words) => {
        const answer = await service.post(
          `${path}?${DAYS}&words=${encodeURIComponent(words)}`,
          narrow,
          {},
          { Prefer: "count=exact, words" },
        );
        const headers = [...answer.headers].filter(
          ([name]) => !/^(date|x-request-id|ratelimit)/.test(name),
        );
        return JSON.stringify([answer.status, headers, await answer.text()]);
      }),
    );
    expect(new Set(answers).size).toBe(1);
  });
});

test("an empty filter of named fields needs words (D11)", async () => {
  const answer = await service.post(`/metadata/search?${DAYS}`, key, {});
  expect(answer.status).toBe(400);
  expect((await bodyOf(answer)).errorMessage).toBe("The body must name at least one filter field");
  expect((await ask("/metadata/search", "leila")).status).toBe(200);
});
