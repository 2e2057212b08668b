// Generated calls with texts to search by words: every third has a transcript of 200 words.
import type { MetadataRecord } from "@call-media/store";
import { createRandom } from "../random.ts";
import { createRows } from "../rows.ts";

const WORDS = 50_000;
const WORDS_OF_A_TEXT = 200;
const FREQUENT = "the to and i you a of it that is in my for on we your have can this be".split(
  " ",
);

/** Texts of `count` calls. `field` is `transcript`, or a field that is not searched by words. */
export function* createTexts(
  count: number,
  field: "transcript" | "custom_field_20" = "transcript",
): Generator<MetadataRecord> {
  const random = createRandom(7);
  let index = 0;
  for (const row of createRows(count)) {
    index += 1;
    if (index % 3 > 0) {
      yield row;
      continue;
    }
    // The most frequent word is twice as frequent as the second, and three times as frequent as the third.
    const words = Array.from({ length: WORDS_OF_A_TEXT }, () =>
      toWord(Math.floor(WORDS ** random.next()) - 1),
    );
    if (random.isOneIn(7)) words.push("zzcommon");
    if (random.isOneIn(333)) words.push("zzmiddle");
    if (random.isOneIn(70)) words.push("early", "termination");
    if (random.isOneIn(50)) words.push("termination", "early");
    yield { ...row, [field]: words.join(" ") };
  }
}

const toWord = (rank: number) => FREQUENT[rank] ?? (rank + 36 ** 3).toString(36);
