// Texts to put where texts are taken: any characters at all, and those that have broken other services.
import * as fc from "fast-check";

/** Well-formed text of any characters: all that JSON and percent-encoding can carry. */
export function createText(minLength: number, maxLength: number): fc.Arbitrary<string> {
  return fc.string({ unit: createCharacter(), minLength, maxLength, size: "small" });
}

// fast-check's own unit "binary" takes a second to set up.
function createCharacter(): fc.Arbitrary<string> {
  const codePoints = [fc.nat(0x7f), fc.nat(0xd7ff), fc.integer({ min: 0xe000, max: 0x10ffff })];
  return fc.oneof(...codePoints).map((codePoint) => String.fromCodePoint(codePoint));
}

export function createNastyText(): fc.Arbitrary<string> {
  return fc.oneof(fc.constantFrom(...NASTY_TEXTS), createText(0, 40));
}

const NASTY_TEXTS = [
  "",
  " ",
  ".",
  "..",
  "../../etc/passwd",
  "/",
  "\\",
  "\0",
  "%",
  "%00",
  "a/b",
  "'; DROP TABLE call; --",
  '" OR "" = "',
  "*",
  "NULL",
  "undefined",
  "__proto__",
  "-1",
  "1e3",
  "0x10",
  "99999999999999999999",
  "9007199254740993",
  "2026-02-30",
  "10000-01-01",
  "-000001-01-01",
  "bytes=5-1",
  "bytes=99999999999999999999-",
  "bytes=-0",
  "bytes=0-,-1",
  "count=exact, count=exact",
  "100-continue",
  "\u202e",
  "İstanbul",
  "ﬀ",
  "e\u0301",
  "\ud83d\ude00",
  "x".repeat(1_024),
  "x".repeat(1_025),
  "é".repeat(4_096),
];
