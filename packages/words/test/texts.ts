// Texts for properties: what is awkward to fold, and anything.
import * as fc from "fast-check";
import { SAMPLES } from "../src/samples.ts";

const AWKWARD =
  "Leïla|LEILA|re-fund|Refunded|straße|STRAẞE|返金|返金して|金|ID返金|ขอเงินคืน|เงิน|น้ำ|don't|ʻokina|İi|ﬁx|½|㆒㆓|⑴|FHR-0001|٤٤٧١|😀|—|حُبّ|حب|が|ｶﾞ|か\u3099|각|한국|\u00ad|\u200d|\ufeff|\u3099|\u0e34|e\u0301|ΟΔΟΣ|𐐷|𝟜𝟜|a_b|हिन्दी|မြန်မာ|ဦ|ဦ|ខ្មែរ|\n".split(
    "|",
  );

export const text = fc.oneof(
  fc
    .array(fc.constantFrom(...AWKWARD, ...SAMPLES.map((sample) => sample.text), " ", ", "), {
      maxLength: 8,
    })
    .map((parts) => parts.join("")),
  fc.string({ unit: "binary", maxLength: 30 }),
  fc.string({ unit: "grapheme", maxLength: 30 }),
);
