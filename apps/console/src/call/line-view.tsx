// A line of a transcript or chat: its time, its speaker and its text. A click plays from the line if its second is known.
import type { ComponentChildren } from "preact";
import type { Hit, Line } from "./lines.ts";
import { Marked } from "./marked.tsx";
import "../style/line.css";

interface LineViewProps {
  readonly line: Line;
  /** Undefined leaves it no column. */
  readonly time: string | undefined;
  readonly hits: readonly Hit[];
  readonly hit: Hit | undefined;
  readonly isCurrent?: boolean;
  /** Why its words do not go along with a hand-over; undefined if they do. */
  readonly muted?: string | undefined;
  readonly onPlay: (() => void) | undefined;
  /** The element above the line. */
  readonly head?: ComponentChildren;
  /** Buttons at its end. */
  readonly children?: ComponentChildren;
}

const LANES = { agent: "lane-1", customer: "lane-2", other: "quiet" } as const;

export function LineView(props: LineViewProps) {
  const { line, time, hits, hit, isCurrent, muted, onPlay, head, children } = props;
  const content = (
    <>
      {time !== undefined && <time>{time}</time>}
      <span class={`speaker cut ${LANES[line.party]}`}>
        <bdi>{line.who}</bdi>
      </span>
      <span class={`said${muted === undefined ? "" : " is-muted"}`} title={muted}>
        <bdi>
          <Marked said={line.said} hits={hits} hit={hit} />
        </bdi>
        {muted !== undefined && <small class="hidden">({muted})</small>}
      </span>
    </>
  );
  const kind = `line${time === undefined ? " untimed" : ""}`;
  return (
    <li class="line-item">
      {head}
      {onPlay === undefined ? (
        <div class={kind}>{content}</div>
      ) : (
        <button
          type="button"
          class={kind}
          aria-current={isCurrent ? "true" : undefined}
          onClick={onPlay}
        >
          {content}
        </button>
      )}
      {children !== undefined && <span class="line-do">{children}</span>}
    </li>
  );
}
