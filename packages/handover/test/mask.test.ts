// Masked values in every spelling by which a search finds them.
import { describe, expect, test } from "vitest";

import type { CallRecord } from "@call-media/client";
import {
  createMask,
  createRecordMasks,
  createRedaction,
  type Field,
  listSearched,
  previewHidden,
  RECORD_FIELDS,
  redactSearch,
} from "../src/index.ts";
import { toCall } from "./support/calls.ts";

describe.each([
  [
    "Santos",
    [
      "Santos",
      "SANTOS",
      "Sántos",
      "S\u00e1ntos",
      "Sa\u0301ntos",
      "San\u00adtos",
      "San\u200btos",
      "Ｓａｎｔｏｓ",
      "S-A-N-T-O-S",
    ],
    ["Santo", "Sand toss"],
  ],
  ["Sántos", ["Santos", "SANTOS", "San\u00adtos"], ["Santo"]],
  ["Müller", ["Mueller", "MUELLER", "Muller", "Mu\u0308ller"], ["Miller"]],
  ["Mueller", ["Müller", "Muller"], ["Miller"]],
  ["Sjøberg", ["Sjoeberg", "Sjöberg", "SJOBERG"], ["Seeberg"]],
  ["Åkesson", ["Aakesson", "Akesson"], ["Akersson"]],
  ["MacDonald", ["Mac Donald", "Macdonald", "mac-donald"], ["Donald"]],
  ["mcbride", ["Mc Bride", "McBride"], ["Bride"]],
  ["Vanessa", ["Vanessa"], ["Van Esch"]],
  [
    "Łukasz Żak",
    ["lukasz zak", "Lukasz-Zak", "ŁUKASZ, ŻAK", "lukasz\nzak", "LukaszZak"],
    ["Lukasz K."],
  ],
  ["Große", ["GROSSE", "grosse", "große"], ["Grose"]],
  ["O\u2019Brien", ["O'Brien", "o brien", "OBrien", "O\u02bbBrien"], ["Brian"]],
  ["Quincy (Mrs.)", ["quincy (mrs.)", "Quincy, Mrs"], ["Quin"]],
  ["Li", ["Li", "LI", "li", "L\u00ed", "Lis"], ["lilies", "Ali"]],
  ["김철수", ["김철수", "김철수".normalize("NFD"), "김철수는"], ["김철"]],
  ["王伟", ["王伟", "我是王伟。"], ["王"]],
  [
    "+49 30 998877",
    [
      "+49 30 998877",
      "030998877",
      "0049 30 998877",
      "(030) 99 88 77",
      "+49 (0)30 998877",
      "0 3 0 9 9 8 8 7 7",
      "30/998877",
      "٠٣٠٩٩٨٨٧٧",
      "998877",
      "8877",
    ],
    ["99887", "0301112233", "877"],
  ],
  ["030998877", ["+49 30 998877", "030-998877"], ["0309988"]],
  ["1234", ["1234", "1 2 3 4", "12-34"], ["123", "124"]],
  ["12345", ["12345", "12 345", "1.23.45"], ["2345", "1234"]],
  ["Grace Santos", ["Grace Santos", "Santos, Grace", "SANTOS GRACE", "grace_santos"], ["Grace S."]],
  ["Ana María López", ["López, Ana María", "lopez ana maria"], ["María Ana López"]],
  [
    "1980-03-05",
    [
      "05.03.1980",
      "3/5/1980",
      "5.3.80",
      "19800305",
      "March 5, 1980",
      "5th of March, 1980",
      "5. März 1980",
      "5 de marzo de 1980",
      "5 марта 1980",
      "Mar 5th",
      "1980年3月5日",
    ],
    ["1980-04-06", "6 March", "15.03.1981", "Marchers"],
  ],
  ["03/05/1980", ["1980-03-05", "5.3.1980", "March 5"], ["March 6"]],
  ["5 March 1980", ["1980-03-05", "5.3.1980", "5 Mar"], ["15 March"]],
  [
    "bob.lee@example.com",
    [
      "bob.lee(at)example.com",
      "Bob.Lee [AT] example [dot] com",
      "bob lee at example dot com",
      "bob.lee arroba example punto com",
    ],
    ["ann.lee@example.com", "rob(at)example.com"],
  ],
  ["bob(at)example.com", ["bob@example.com", "bob at example.com"], ["rob@example.com"]],
])("the value %j", (value, spellings, others) => {
  const mask = createMask([value]);

  test.each(spellings)("is masked as %j", (spelling) => {
    const masked = mask(`Hello, ${spelling}!`);
    expect(masked).toMatch(/^Hello, .{0,8}\[redacted\]\)?\p{L}?.{0,2}$/u);
  });

  test.each(others)("leaves %j unchanged", (other) => {
    expect(mask(`Hello, ${other}!`)).toBe(`Hello, ${other}!`);
  });
});

test.each(["a", "1", "123", "", " ", "。"])(
  "the value %j stands everywhere and is not masked",
  (value) => {
    const text = "a 1 123 。 a";
    expect(createMask([value])(text)).toBe(text);
  },
);

test("values that overlap are masked as one, and a text without any keeps its form", () => {
  const mask = createMask(["Grace", "Grace Santos", "grace.santos@example.com", "50% (!)"]);
  expect(mask("Grace, grace.santos@example.com, Grace Santos: 50% (!)")).toBe(
    "[redacted], [redacted], [redacted]: [redacted]",
  );
  const decomposed = "Cafe\u0301 of Gra";
  expect(mask(decomposed)).toBe(decomposed);
});

/** A record with these fields alone. */
const toRecord = (fields: Partial<CallRecord>) =>
  ({ ...Object.fromEntries(RECORD_FIELDS.map((field) => [field, null])), ...fields }) as CallRecord;

test("a record keeps no masked value, in identifiers neither, and keeps its datetime", () => {
  const { redact } = createRedaction(["customer_last_name", "phone_number1", "ani"]);
  const record = toRecord({
    call_id: "M2-Santos",
    datetime: "2026-03-05T10:00:00Z",
    customer_last_name: "Sántos",
    phone_number1: "tel:+49-30-998877;ext=12",
    ani: "sip:+441632960961@pbx.example",
    custom_field_1: "sip:4930998877@pbx",
    notes: "Frau San\u00adtos of 030 998877, once 01632 960961",
  });
  const masked = redact(record);
  expect(masked).toMatchObject({ call_id: "M2-[redacted]", datetime: "2026-03-05T10:00:00Z" });
  expect(masked.notes).toBe("Frau [redacted] of 0[redacted], once 0[redacted]");
});

test("a name is masked by each of its parts, but for what is in other names and texts", () => {
  const { redact, listLeft } = createRedaction([
    "customer_first_name",
    "customer_last_name",
    "agent_name",
    "custom_field_1",
  ]);
  const record = toRecord({
    datetime: "2026-03-05T10:00:00Z",
    customer_first_name: "Anna-Lena",
    customer_last_name: "Núñez-O\u2019Connor",
    agent_name: "J. van der Berg",
    custom_field_1: "05.03.2026",
    notes: "Anna said: Mrs Nunez, or O'Connor, van Berg of J. and der Bank; Lena, 5 March",
  });
  const masked = redact(record);
  expect(masked.notes).toBe(
    "[redacted] said: Mrs [redacted], or [redacted], van [redacted] of J. and der Bank; [redacted], [redacted]",
  );
  expect(listLeft(record, masked)).toEqual(["datetime"]);
});

test.each([
  "A. Santos",
  "Santos, A.",
  "A.Santos",
  "ASantos",
  "Mr Santos",
  "Mrs.Santos",
  "Hr. Santos",
  "Frau Santos",
  "Señora Santos",
  "Dr. A. M. Santos",
  "Santos (Ana)",
  "Santos'",
  "die Santos'sche Rechnung",
  "the Santoses",
  "ana_santos",
  "a.santos(at)example.com",
  "SANTOS/ANA MS",
  "Santos-Meyer",
  "Herr SANTOS jun.",
  "S-a-n-t-o-s, A",
])("no part of a name survives in %j, whichever field has it", (spelling) => {
  for (const name of [
    { agent_name: "Ana Santos" },
    { customer_first_name: "Ana", customer_last_name: "Santos" },
    { dest_agent_name: "Santos, Ana" },
  ]) {
    const { redact } = createRedaction(Object.keys(name) as Field[]);
    const { notes } = redact(toRecord({ ...name, notes: `It was ${spelling}.` }));
    expect(notes).toContain("[redacted]");
    expect(notes).not.toMatch(/santos|\bana\b/i);
  }
});

test.each([
  ["Acme Widgets GmbH", "Acme called: ACME-Widgets Ltd, info@acme.example", []],
  ["Quincy & Sons", "Quincy and Sons, or Quincy's", []],
  ["Deutsche Bahn AG", "die Bahn, Deutsche Bahn", []],
  ["The Bank of Cyprus Ltd", "Bank of Cyprus", []],
  ["Acme Widgets GmbH", "AcmeCloud", ["notes"]],
  ["Deutsche Bahn AG", "auf der Autobahn", ["notes"]],
] as const)(
  "the company %s is masked by its words, or said to be left, in %j",
  (company, notes, left) => {
    const { redact, listLeft } = createRedaction(["company"]);
    const record = toRecord({ company, notes });
    const masked = redact(record);
    expect(listLeft(record, masked)).toEqual(left);
    const words = String(masked.notes).match(
      /\b(?:acme|widgets|quincy|sons|deutsche|bahn|bank|cyprus)\b/gi,
    );
    expect(words).toBeNull();
    expect(masked.notes === notes).toBe(left.length > 0);
  },
);

test("a search keeps none of its texts that repeat what a record hides", () => {
  const search = {
    filter: { campaign: "Santos family", agent: "ann", talk_time: 60 },
    where: 'notes ~ "santos"',
    words: "S\u00e1ntos refund",
    ids: ["NOPE", "X-SANTOS"],
  };
  const masks = createRecordMasks(createRedaction(["customer_last_name"]), listSearched(search));
  masks.redact(toRecord({ customer_last_name: "Santos" }));
  const hidden = listSearched(search).filter((_, index) => masks.listHidden().includes(index));
  expect(redactSearch(search, hidden)).toEqual({
    filter: { campaign: "[redacted]", agent: "ann", talk_time: 60 },
    where: "[redacted]",
    words: "[redacted]",
    ids: ["NOPE", "[redacted]"],
  });
});

test("a preview counts the values that a hand-over will hide, and names those that remain", () => {
  const legs = [
    {
      call_id: "1",
      customer_last_name: "Santos",
      notes: "SANTOS called. Mrs Sántos",
      talk_time: 9,
    },
    { call_id: "1", customer_last_name: null, notes: "for Santos", talk_time: null },
    { call_id: "2", customer_last_name: "O", notes: "O said no" },
  ].map(toCall);
  const hidden = previewHidden(legs, ["customer_last_name", "talk_time"]);
  expect(hidden).toMatchObject({ places: 6, leftCount: 1, timesLeft: 0 });
  expect(hidden.left.map(({ record, field }) => [record.call_id, field])).toEqual([["2", "notes"]]);
  const masked = createRedaction(["customer_last_name", "talk_time"]).redact(
    toCall(legs[0] ?? {}),
    legs,
  );
  expect(JSON.stringify(masked)).not.toMatch(/s[aá]ntos/i);
});
