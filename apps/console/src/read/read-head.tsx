// The head of the reading view: the side to show, the search box and the actions.
import { replace, toLink } from "../address.ts";
import { agentOf } from "../fields.ts";
import { type ReadRoute, writeRoute } from "../route.ts";
import { toRecordRoute } from "../search/open-call.ts";
import type { Search } from "../search/search.ts";
import { toHandOverList } from "../search/to-hand-over.ts";
import { READ_WORDS } from "../text/read-words.ts";
import { callWords } from "../text/call-words.ts";
import { language, text } from "../text/text.ts";
import { showSeconds } from "../time.ts";
import { copy } from "../ui/copy.ts";
import { FindBox } from "../ui/find-box.tsx";
import { Icon } from "../ui/icon.tsx";
import { toTime } from "./contents.tsx";
import { isShown, type Reader, type Texts } from "./texts.ts";

interface ReadHeadProps {
  readonly route: ReadRoute;
  readonly search: Search;
  readonly texts: Texts;
  readonly reader: Reader;
}

export function ReadHead({ route, search, texts, reader }: ReadHeadProps) {
  const t = text.value;
  const c = callWords();
  const w = READ_WORDS[language.value];
  const { value: entries } = texts.entries;
  return (
    <header class="read-head">
      <a class="button quiet" href={writeRoute(route.search)}>
        <Icon name="left" />
        {c.results}
      </a>
      <h1>
        {w.title[route.side ?? "both"]}{" "}
        <small role="status">
          {search.results.total.value === undefined ? t.searching : t.callCount(entries.length)}
        </small>
      </h1>
      <div class="choice" role="group" aria-label={w.whose}>
        {([undefined, "customer", "agent"] as const).map((side) => (
          <button
            key={side ?? "both"}
            type="button"
            class="button quiet"
            aria-pressed={route.side === side}
            onClick={() => replace({ ...route, side })}
          >
            {w.sides[side ?? "both"]}
          </button>
        ))}
      </div>
      <FindBox
        label={w.find}
        value={route.find || search.query.words}
        place={reader.place}
        count={reader.count}
        onInput={(find) => replace({ ...route, find })}
        onStep={reader.step}
      />
      <button type="button" class="button" onClick={() => void copyTexts(texts, route)}>
        {w.copyText}
      </button>
      <a class="button" href={writeRoute(toHandOverList(route.search, search))}>
        {t.handOver}
      </a>
    </header>
  );
}

/** Copies each line with its date, agent, time and speaker, below the link to its call. */
async function copyTexts(texts: Texts, { side }: ReadRoute): Promise<void> {
  const { value: entries } = texts.entries;
  const calls = entries
    .flatMap(({ legs }) => legs)
    .map((record) => {
      const to = toRecordRoute(record, "");
      const link = to === undefined ? "" : toLink(to);
      const head = [toTime(record.datetime), agentOf(record), link].filter(Boolean).join(", ");
      const lines = texts
        .linesOf(record)
        .filter((line) => isShown(line, side))
        .map(({ at, who, said }) =>
          [at === undefined ? "" : showSeconds(at), who && `${who}:`, said]
            .filter(Boolean)
            .join(" "),
        );
      return [head, ...lines].join("\n");
    });
  await copy(calls.join("\n\n"), READ_WORDS[language.value].copiedText(entries.length));
}
