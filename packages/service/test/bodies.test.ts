// JSON that two readers could understand in two ways is refused, whatever is odd in it; what is only unusual is read.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  ALLOWED_ALL,
  bodyOf,
  startTestService,
  type TestService,
  toCall,
} from "./support/service.ts";

let service: TestService;
let key: string;

beforeAll(async () => {
  service = await startTestService();
  ({ key } = await service.addUser(ALLOWED_ALL));
  const datetime = "2026-01-05T10:00:00Z";
  await service.add(
    toCall({ call_id: "1", agent: "Zoë", talk_time: 17, datetime }),
    toCall({ call_id: "2", agent: "a\u0000b", talk_time: Number.MAX_SAFE_INTEGER, datetime }),
    toCall({ call_id: "3", agent: "📞", datetime }),
  );
});
afterAll(() => service[Symbol.asyncDispose]());

const SEARCH = "/metadata/search?pageIndex=0&startDate=2026-01-01&endDate=2026-01-31";
const LARGEST = "talk_time must be an integer from -9007199254740991 to 9007199254740991";

// A title, and what it is the title of.
const titled = <Rest extends readonly unknown[]>(cases: readonly (readonly [string, ...Rest])[]) =>
  cases.map(([text, ...rest]): [string, string, ...Rest] => [text.slice(0, 50), text, ...rest]);

const search = (body: string | Uint8Array) => service.post(SEARCH, key, body);

describe("a body is refused", () => {
  test.each(
    titled<[string]>([
      ['{"agent":"a","agent":"a"}', "agent is given twice"],
      ['{"agent":"a","skill":"b","\\u0061gent":"c"}', "agent is given twice"],
      ['{"agent":"\\"agent\\":","agent":"c"}', "agent is given twice"],
      ['{"__proto__":"a","__proto__":"b"}', "__proto__ is given twice"],
      ['{"agent":"\\ud800"}', "agent holds half of a surrogate pair, which is not a character"],
      ['{"skill":"a\\udc00b"}', "skill holds half of a surrogate pair, which is not a character"],
      ['{"talk_time":9007199254740993}', LARGEST],
      ['{"talk_time":-9007199254740993}', LARGEST],
      ['{"talk_time":1e400}', LARGEST],
      ['{"talk_time":123456789012345678901234567890}', LARGEST],
      ['{"__proto__":{"agent":"a"}}', "__proto__ is not a known field"],
      ['{"constructor":{"prototype":{}}}', "constructor is not a known field"],
      ['{"toString":"a"}', "toString is not a known field"],
      ['{"agent":{"agent":"a"}}', "agent must be a string"],
      ['{"agent":"a"}{"agent":"a"}', "The body is not JSON in UTF-8"],
      ['{"agent":"a"} x', "The body is not JSON in UTF-8"],
      ['{"agent":"a",}', "The body is not JSON in UTF-8"],
      ["{'agent':'a'}", "The body is not JSON in UTF-8"],
      ['{"agent":NaN}', "The body is not JSON in UTF-8"],
      ['{"agent":"a\nb"}', "The body is not JSON in UTF-8"],
      ["\uFEFF\uFEFF{}", "The body is not JSON in UTF-8"],
      ["\uFEFF", "The body is not JSON in UTF-8"],
      [" ", "The body is not JSON in UTF-8"],
      ['"agent"', "The body must be a JSON object"],
      ["17", "The body must be a JSON object"],
      ["[".repeat(30_000) + "]".repeat(30_000), "The body must be a JSON object"],
      [`{"agent":${"[".repeat(30_000)}${"]".repeat(30_000)}}`, "agent must be a string"],
      [`${'{"agent":'.repeat(6_000)}1${"}".repeat(6_000)}`, "agent must be a string"],
      [`{"agent":${"[".repeat(60_000)}`, "The body is not JSON in UTF-8"],
    ]),
  )("%j", async (_title, text, message) => {
    const response = await search(text);
    expect(await response.json()).toEqual({ isError: true, errorMessage: message, data: [] });
    expect(response.status).toBe(400);
  });

  test.each([
    ["an overlong form", [0xc0, 0xaf]],
    ["a surrogate", [0xed, 0xa0, 0x80]],
    ["a piece of a character", [0xe2, 0x82]],
    ["past the last character", [0xf4, 0x90, 0x80, 0x80]],
  ])("with %s, which UTF-8 does not have", async (_what, bytes) => {
    const text = Buffer.concat([Buffer.from('{"agent":"'), Buffer.from(bytes), Buffer.from('"}')]);
    const { errorMessage } = await bodyOf(await search(text));
    expect(errorMessage).toBe("The body is not JSON in UTF-8");
  });

  test("that is UTF-16", async () => {
    expect((await search(Buffer.from('\uFEFF{"agent":"a"}', "utf16le"))).status).toBe(400);
  });
});

describe("a body is read", () => {
  test.each(
    titled<[string[]]>([
      ['\uFEFF{"agent":"Zoë"}', ["1"]],
      [' {\t"agent"\r\n:"Zo\\u00eb"} ', ["1"]],
      ['{"talk_time":17.0}', ["1"]],
      ['{"talk_time":1.7e1}', ["1"]],
      ['{"talk_time":9007199254740991}', ["2"]],
      ['{"agent":"a\\u0000b"}', ["2"]],
      ['{"agent":"\\ud83d\\udcde"}', ["3"]],
      ['{"agent":"📞"}', ["3"]],
      [`{"agent":"${"a".repeat(65_000)}"}`, []],
      ['{"agent":"agent","skill":"skill"}', []],
    ]),
  )("%j", async (_title, text, found) => {
    const { data } = await bodyOf(await search(text));
    expect(data.map((record) => record.call_id)).toEqual(found);
  });
});

test("nothing of this was a failure of the service", () => {
  expect(service.failures).toEqual([]);
});
