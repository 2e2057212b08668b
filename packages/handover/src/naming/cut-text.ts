// Truncates text where a reader would: between visible characters.

let segmenter: Intl.Segmenter | undefined;

/** The longest beginning that measures at most `most`; the complete text if it fits. */
export function cutText(text: string, most: number, measure: (text: string) => number): string {
  if (measure(text) <= most) return text;
  // Created only now: loading its character data takes 9 ms.
  segmenter ??= new Intl.Segmenter(undefined, { granularity: "grapheme" });
  let kept = "";
  for (const { segment } of segmenter.segment(text)) {
    if (measure(kept + segment) > most) break;
    kept += segment;
  }
  return kept;
}
