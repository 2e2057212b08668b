// The reading view: the texts of all calls of a search, one below the other, oldest first.
import { useSignal } from "@preact/signals";
import { useEffect, useLayoutEffect, useMemo } from "preact/hooks";
import type { Access } from "../access.ts";
import { go } from "../address.ts";
import { played } from "../player/playing.ts";
import type { ReadRoute } from "../route.ts";
import { latestSearch } from "../search/latest.ts";
import type { Search } from "../search/search.ts";
import { READ_WORDS } from "../text/read-words.ts";
import { language, text } from "../text/text.ts";
import { FaultNotice } from "../ui/fault-notice.tsx";
import { focusFindBox } from "../ui/find-box.tsx";
import { useKeys } from "../ui/keys.ts";
import { Article, play } from "./article.tsx";
import { Contents } from "./contents.tsx";
import { ReadHead } from "./read-head.tsx";
import { createTexts, type Place, type Reader, type Texts } from "./texts.ts";
import "../style/read.css";

interface ReadPageProps {
  readonly route: ReadRoute;
  readonly access: Access;
}

export function ReadPage({ route, access }: ReadPageProps) {
  const { value: search } = latestSearch;
  useEffect(() => {
    document.title = text.value.product;
    scrollTo(0, 0);
  }, []);
  if (search === undefined) return <main id="main" />;
  const { value: fault } = search.results.fault;
  if (fault !== undefined)
    return (
      <main id="main" class="alone" tabIndex={-1}>
        <FaultNotice fault={fault} onRetry={search.results.retry} />
      </main>
    );
  return <Reading key={search} route={route} access={access} search={search} />;
}

// As many pages as are read without a request of the user.
const LEGS_AT_ONCE = 200;

function Reading({ route, access, search }: ReadPageProps & { readonly search: Search }) {
  const texts = useMemo(() => createTexts(access.client, search), [access, search]);
  useEffect(() => texts.dispose, [texts]);
  const wanted = useSignal(LEGS_AT_ONCE);
  const { value: total = 0 } = search.results.total;
  useEffect(() => {
    if (total <= wanted.value) search.results.readAll();
    else search.results.want(0, wanted.value);
  }, [total, wanted.value]);
  const hits = texts.find({ find: route.find, words: search.query.words, side: route.side });
  const reader = useReader({ route, access, texts, hits });
  const { value: entries } = texts.entries;
  return (
    <main id="main" class="texts" tabIndex={-1}>
      <ReadHead route={route} search={search} texts={texts} reader={reader} />
      <Contents entries={entries} texts={texts} hits={hits} reader={reader} />
      <div class="articles">
        {total > wanted.value && (
          <p class="quiet">
            {READ_WORDS[language.value].latest(wanted.value, total)}{" "}
            <button type="button" class="button" onClick={() => (wanted.value += LEGS_AT_ONCE)}>
              {READ_WORDS[language.value].readOn}
            </button>
          </p>
        )}
        {entries.map((entry, index) => (
          <Article
            key={entry.key}
            entry={entry}
            id={`text-${index}`}
            isCurrent={index === reader.entry}
            route={route}
            access={access}
            texts={texts}
            hits={hits.filter((hit) => hit.entry === index)}
            hit={reader.hit}
          />
        ))}
        {entries.length > 0 && <Foot texts={texts} />}
      </div>
    </main>
  );
}

/** Counts the calls with text, so that a reader does not take a missing text for silence. */
function Foot({ texts }: { readonly texts: Texts }) {
  const { value: entries } = texts.entries;
  const told = entries.filter(({ legs }) => legs.some((leg) => texts.linesOf(leg).length > 0));
  return (
    <p class="quiet" role="status">
      {READ_WORDS[language.value].withText(told.length, entries.length)}
    </p>
  );
}

interface ReaderOf {
  readonly route: ReadRoute;
  readonly access: Access;
  readonly texts: Texts;
  readonly hits: readonly Place[];
}

function useReader({ route, access, texts, hits }: ReaderOf): Reader {
  const entry = useSignal(0);
  const place = useSignal(0);
  const hit = hits[place.value % Math.max(1, hits.length)];
  useEffect(() => void (place.value = 0), [route.find, route.side]);
  // Scrolls after drawing.
  useLayoutEffect(() => {
    if (hit !== undefined && (place.value > 0 || route.find !== ""))
      document.querySelector("mark.is-here")?.scrollIntoView({ block: "center" });
  }, [place.value, route.find, route.side]);
  const goToEntry = (to: number) => {
    entry.value = Math.max(0, Math.min(texts.entries.value.length - 1, to));
    document.getElementById(`text-${entry.value}`)?.scrollIntoView({ block: "start" });
  };
  const step = (by: number) => {
    if (hits.length === 0) return;
    place.value = (place.value + by + hits.length) % hits.length;
    const next = hits[place.value];
    if (next === undefined) return;
    entry.value = next.entry;
  };
  const back = () => go(route.search);
  useKeys({
    j: () => goToEntry(entry.value + 1),
    k: () => goToEntry(entry.value - 1),
    n: () => step(1),
    p: () => step(-1),
    f: focusFindBox,
    "/": focusFindBox,
    u: back,
    Escape: back,
    " ":
      played.value === undefined
        ? () => {
            const [first] = texts.entries.value[entry.value]?.legs ?? [];
            if (first !== undefined) play(access, first);
          }
        : undefined,
  });
  return { entry: entry.value, hit, place: place.value, count: hits.length, goToEntry, step };
}
