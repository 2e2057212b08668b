// Names of exported files: safe on every file system, told apart where one of them would not, the same every time.
import type { CallRecord } from "@call-media/client";
import { describe, expect, test } from "vitest";
import { createNames } from "../src/naming/distinct-names.ts";
import { findTemplateFault, toExtension, toStem } from "../src/naming/template.ts";

// Tests name the fields that count.
const toRecord = (fields: object) => fields as CallRecord;
const toName = (call_id: string) => toStem("{call_id}", toRecord({ call_id }), 1);

describe("a name", () => {
  test.each([
    ["../../etc/passwd", "_.._etc_passwd"],
    ["C:\\Windows\\x", "C__Windows_x"],
    ['a<b>c:d"e|f?g*h', "a_b_c_d_e_f_g_h"],
    ["CON", "_CON"],
    ["com1.txt", "_com1.txt"],
    ["LPT¹", "_LPT¹"],
    ["conference", "conference"],
    ["trailing. . ", "trailing"],
    [".hidden", "hidden"],
    ["-rf", "rf"],
    ["a\u0000b\u202ec", "a_b_c"],
    ["e\u0301", "\u00e9"],
    ["\ud800", "\ufffd"],
    ["...", "none"],
    ["", "none"],
  ])("of %j becomes %j", (call_id, name) => {
    expect(toName(call_id)).toBe(name);
  });

  test("is never too long, and no letter of it is cut apart", () => {
    const name = toName("👩‍👩‍👧".repeat(40));
    expect(new TextEncoder().encode(name).length).toBeLessThanOrEqual(150);
    expect(name).toBe("👩‍👩‍👧".repeat(8));
  });

  test("has the number of its part however long it is", () => {
    const name = toStem("{call_id}", toRecord({ call_id: "x".repeat(200) }), 12);
    expect(name).toBe(`${"x".repeat(147)}-12`);
  });

  test("has it where the template has it, however long what stands before it is", () => {
    const record = toRecord({ notes: "x".repeat(200), agent: "y".repeat(149) });
    expect(toStem("{notes}_{part}", record, 12)).toBe(`${"x".repeat(148)}12`);
    expect(toStem("{agent} {part}", record, 3)).toBe(`${"y".repeat(149)}3`);
    expect(toStem("{part}_{notes}", record, 3)).toBe(`3_${"x".repeat(148)}`);
    expect(toStem("{notes}_{part}_{agent}", record, 3)).toBe(`${"x".repeat(149)}3`);
  });

  test("has date, time, fields and the number of its part", () => {
    const record = toRecord({ datetime: "2026-03-01T09:30:00.5+01:00", agent: "ana", skill: null });
    expect(toStem("{date} {time} {agent} {skill}", record, 2)).toBe(
      "2026-03-01 09_30_00 ana none-2",
    );
    expect(toStem("{part} {agent}", record, 2)).toBe("2 ana");
  });
});

test("names that one file system would treat as equal get numbers in the order of arrival", () => {
  const names = createNames();
  const given = ["Straße", "STRASSE", "\u00e9", "e\u0301", "É", "a", "A~2", "a", "A"];
  expect(given.map((stem) => names.take(stem))).toEqual([
    "Straße",
    "STRASSE~2",
    "\u00e9",
    "e\u0301~2",
    "É~3",
    "a",
    "A~2",
    "a~3",
    "A~4",
  ]);
});

test.each(["{agnt}", "{", "a}b{", "a/{call_id}", "a\\b", " "])(
  "%j is not a template",
  (template) => {
    expect(findTemplateFault(template)).toContain("--name");
  },
);

test.each([
  [["a.WAV", undefined], "audio/mpeg", ".wav"],
  [[undefined, "b.Mp3"], "", ".mp3"],
  [["no extension", undefined], "Audio/OGG; codecs=opus", ".ogg"],
  [["x.tar/gz", "../.."], "application/octet-stream", ".bin"],
  [["x.thisistoolong"], "audio/wav", ".wav"],
  [["x.html", "x.svg"], "audio/wav", ".wav"],
  [["x.exe", "x.gsm"], "audio/wav", ".gsm"],
  [["desktop.ini"], "application/octet-stream", ".bin"],
])("the extension of %j and %j is %s", (names, contentType, extension) => {
  expect(toExtension(names, contentType)).toBe(extension);
});
