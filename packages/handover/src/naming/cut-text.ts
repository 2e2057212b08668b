// Text that is too long, cut where a reader would cut it: between letters as people see them.

let segmenter: Intl.Segmenter | undefined;

/** As much of the beginning as measures `most` at most; nothing is cut where all of it does. */
export function cutText(text: string, most: number, measure: (text: string) => number): string {
  if (measure(text) <= most) return text;
  // Not before: to load what it knows of letters takes 9 ms.
  segmenter ??= new Intl.Segmenter(undefined, { granularity: "grapheme" });
  let kept = "";
  for (const { segment } of segmenter.segment(text)) {
    if (measure(kept + segment) > most) break;
    kept += segment;
  }
  return kept;
}
