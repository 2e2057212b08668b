// The contents of the reading view: its calls, with the number of hits in each.
import { agentOf } from "../fields.ts";
import { READ_WORDS } from "../text/read-words.ts";
import { language, text } from "../text/text.ts";
import { toShown, zone } from "../time.ts";
import type { Entry, Place, Reader, Texts } from "./texts.ts";

interface ContentsProps {
  readonly entries: readonly Entry[];
  readonly texts: Texts;
  readonly hits: readonly Place[];
  readonly reader: Reader;
}

export function Contents({ entries, texts, hits, reader }: ContentsProps) {
  const w = READ_WORDS[language.value];
  return (
    <nav class="contents" aria-label={w.contents}>
      <ol>
        {entries.map(({ key, legs }, index) => {
          const count = hits.filter(({ entry }) => entry === index).length;
          const hasText = legs.some((leg) => texts.linesOf(leg).length > 0);
          return (
            <li key={key}>
              <button
                type="button"
                aria-current={index === reader.entry ? "true" : undefined}
                onClick={() => reader.goToEntry(index)}
              >
                <span class="number">{toTime(legs[0]?.datetime)}</span>
                <small>{hasText ? count || "" : w.noText}</small>
                <bdi class="quiet cut">
                  {[...new Set(legs.map(agentOf)), legs[0]?.disposition]
                    .filter(Boolean)
                    .join(" · ")}
                </bdi>
              </button>
            </li>
          );
        })}
      </ol>
    </nav>
  );
}

/** Date and time of a record. */
export function toTime(datetime: string | null | undefined): string {
  if (datetime === null || datetime === undefined) return text.value.noTime;
  const shown = toShown(datetime, zone.value);
  return shown === undefined ? datetime : `${shown.date} ${shown.time}`;
}
