// One call in the reading view: the parties, the time and the text; lines of the other side are folded.
import type { CallRecord } from "@call-media/client";
import { useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";
import type { Access } from "../access.ts";
import { LineView } from "../call/line-view.tsx";
import { agentOf, customerOf, recordingsOf, valueOf } from "../fields.ts";
import { isPlaying, played } from "../player/playing.ts";
import { type ReadRoute, writeRoute } from "../route.ts";
import { isHeard, toRecordRoute } from "../search/open-call.ts";
import { READ_WORDS } from "../text/read-words.ts";
import { callWords } from "../text/call-words.ts";
import { language, text } from "../text/text.ts";
import { showSeconds, toShown, zone } from "../time.ts";
import { Icon } from "../ui/icon.tsx";
import { toTime } from "./contents.tsx";
import { type Entry, type Place, type Texts, toRuns } from "./texts.ts";

/** Plays a record, from a given second if there is one. */
export function play(access: Access, record: CallRecord, from?: number): void {
  const chosen = from === undefined ? {} : { from };
  void import("../player/play.ts").then(({ playRecord }) =>
    playRecord(access, record, { words: "", linesOf: async () => [], ...chosen }),
  );
}

interface ArticleProps {
  readonly id: string;
  readonly entry: Entry;
  readonly isCurrent: boolean;
  readonly route: ReadRoute;
  readonly access: Access;
  readonly texts: Texts;
  readonly hits: readonly Place[];
  readonly hit: Place | undefined;
}

export function Article(props: ArticleProps) {
  const { id, entry, isCurrent, texts } = props;
  const article = useRef<HTMLElement>(null);
  // Requests times and chat of a call when it scrolls into view.
  useEffect(() => {
    const { current } = article;
    if (current === null) return undefined;
    const observer = new IntersectionObserver(([seen]) => {
      if (seen?.isIntersecting) entry.legs.forEach(texts.read);
    });
    observer.observe(current);
    return () => observer.disconnect();
  }, [entry]);
  return (
    <article ref={article} id={id} class={isCurrent ? "is-current" : undefined}>
      {entry.legs.map((record, index) => (
        <Leg key={index} {...props} record={record} place={index} />
      ))}
    </article>
  );
}

type LegProps = ArticleProps & { readonly record: CallRecord; readonly place: number };

function Leg({ record, place, entry, route, access, texts, hits, hit }: LegProps) {
  const w = READ_WORDS[language.value];
  const lines = texts.linesOf(record);
  const talk = valueOf(record, "talk_time");
  return (
    <>
      <LegHead record={record} access={access} leg={entry.legs.length > 1 ? place + 1 : 0} />
      {lines.length === 0 && (
        <p class="quiet">{w.noTextOf(Number(talk) === 0 ? "" : showSeconds(Number(talk)))}</p>
      )}
      <ol class="lines">
        {toRuns(lines, route.side).map(({ isFolded, lines: run }) => {
          const shown = run.map(([index, line]) => (
            <LineView
              key={index}
              line={line}
              time={
                (line.at === undefined
                  ? toShown(line.datetime, zone.value)?.time
                  : showSeconds(line.at)) ?? ""
              }
              onPlay={line.at === undefined ? undefined : () => play(access, record, line.at)}
              hits={hits.filter((one) => one.record === record && one.line === index)}
              hit={hit}
            />
          ));
          return isFolded ? (
            <Folded key={run[0]?.[0]} count={run.length} route={route}>
              {shown}
            </Folded>
          ) : (
            shown
          );
        })}
      </ol>
    </>
  );
}

interface LegHeadProps {
  readonly record: CallRecord;
  readonly access: Access;
  /** From 1; 0 if it is the only one. */
  readonly leg: number;
}

function LegHead({ record, access, leg }: LegHeadProps) {
  const t = text.value;
  const c = callWords();
  const isOn = isPlaying.value && isHeard(record);
  const who = customerOf(record) || t.nobody;
  const to = toRecordRoute(record, "");
  const agent = agentOf(record);
  return (
    <header>
      {recordingsOf(record).length > 0 && (
        <button
          type="button"
          class={`play${isOn ? " is-on" : ""}`}
          aria-label={`${isOn ? t.pauseCall(who) : t.playCall(who)}, ${toTime(record.datetime)}`}
          onClick={() => (isHeard(record) ? played.value?.sound?.toggle() : play(access, record))}
        >
          <Icon name={isOn ? "pause" : "play"} />
        </button>
      )}
      <h2>{toTime(record.datetime)}</h2>
      <span class="quiet cut">
        {[
          leg > 0 && READ_WORDS[language.value].leg(leg),
          who,
          agent && c.withAgent(agent),
          record.disposition,
        ]
          .filter(Boolean)
          .join(" · ")}
      </span>
      {to !== undefined && <a href={writeRoute(to)}>{c.open}</a>}
    </header>
  );
}

interface FoldedProps {
  readonly count: number;
  readonly route: ReadRoute;
  readonly children: ComponentChildren;
}

/** Lines of the other side, which expand in place. */
function Folded({ count, route, children }: FoldedProps) {
  const isOpen = useSignal(false);
  if (isOpen.value) return <>{children}</>;
  const other = route.side === "agent" ? "customer" : "agent";
  return (
    <li>
      <button type="button" class="folded" onClick={() => (isOpen.value = true)}>
        {READ_WORDS[language.value].folded(count, other)}
      </button>
    </li>
  );
}
