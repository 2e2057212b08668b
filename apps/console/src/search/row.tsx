// One row of the list. Until its page is loaded, it shows grey bars at the same height.
import type { CallRecord } from "@call-media/client";
import { agentOf, customerOf, recordingsOf, valueOf } from "../fields.ts";
import { isPlaying } from "../player/playing.ts";
import { type Column, writeRoute } from "../route.ts";
import { text } from "../text/text.ts";
import { nameRecorded, nameZone, showSeconds, toShown, zone } from "../time.ts";
import { Icon } from "../ui/icon.tsx";
import { lazy } from "../ui/lazy.tsx";
import { isNumeric } from "./list-head.tsx";
import { isHeard, listen, openCall, toRecordRoute } from "./open-call.ts";
import type { Search } from "./search.ts";

const LazyPassage = lazy(async () => (await import("./passage.tsx")).Passage);

export interface RowProps {
  readonly row: number;
  readonly top: number;
  /** The day, if this row is the first of it. */
  readonly heading: string | undefined;
  readonly record: CallRecord | undefined;
  readonly hasFailed: boolean;
  readonly columns: readonly Column[];
  readonly isCurrent: boolean;
  readonly isPicked: boolean;
  readonly isOpened: boolean;
  readonly search: Search;
}

export function Row(props: RowProps) {
  const { row, top, heading, record, columns, isCurrent, isPicked, isOpened, search } = props;
  const classes = ["call", isCurrent ? "is-current" : "", isOpened ? "is-opened" : ""];
  return (
    <>
      {heading !== undefined && (
        <div
          class="day"
          role="presentation"
          aria-hidden="true"
          style={{ transform: `translateY(${top}px)` }}
        >
          {heading}
        </div>
      )}
      <div
        role="row"
        id={`row-${row}`}
        class={classes.join(" ")}
        aria-rowindex={row + 2}
        aria-selected={isPicked}
        style={{ transform: `translateY(${top}px)` }}
        onClick={(event) => {
          // With a modifier key, the browser opens the link in a new tab.
          if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.shiftKey) return;
          event.preventDefault();
          openCall(search, row);
        }}
      >
        {record === undefined ? (
          <Bones columns={columns} hasFailed={props.hasFailed} search={search} />
        ) : (
          <Cells row={row} record={record} columns={columns} isPicked={isPicked} search={search} />
        )}
      </div>
    </>
  );
}

function Bones({ columns, hasFailed, search }: Pick<RowProps, "columns" | "hasFailed" | "search">) {
  const t = text.value;
  return (
    <>
      <div role="gridcell" class="pick" />
      <div role="gridcell" class="hear" />
      {columns.map((column, index) => (
        <div role="gridcell" key={column} class={toClass(column)}>
          {hasFailed && index === 1 ? (
            <button
              type="button"
              class="plain-link"
              tabIndex={-1}
              onClick={(event) => {
                event.preventDefault();
                search.results.retry();
              }}
            >
              {t.notLoaded}: {t.tryAgain}
            </button>
          ) : (
            <span class="bone" />
          )}
        </div>
      ))}
    </>
  );
}

type CellsProps = Pick<RowProps, "row" | "columns" | "isPicked" | "search"> & {
  readonly record: CallRecord;
};

function Cells({ row, record, columns, isPicked, search }: CellsProps) {
  const t = text.value;
  const parts = recordingsOf(record).length;
  const isOn = isPlaying.value && isHeard(record);
  const who = [customerOf(record) || t.nobody, timeOf(record)].filter(Boolean).join(", ");
  return (
    <>
      <div role="gridcell" class="pick">
        {/* A click that picks a row must not open it. */}
        <label onClick={(event) => event.stopPropagation()}>
          <input
            type="checkbox"
            tabIndex={-1}
            aria-label={t.select(who)}
            checked={isPicked}
            onChange={() => search.toggle(record)}
          />
        </label>
      </div>
      <div role="gridcell" class="hear">
        {parts > 0 && (
          <button
            type="button"
            class={`play${isOn ? " is-on" : ""}`}
            tabIndex={-1}
            aria-label={isOn ? t.pauseCall(who) : t.playCall(who)}
            title={isOn ? t.pause : t.play}
            onClick={(event) => {
              event.preventDefault();
              listen(search, row);
            }}
          >
            <Icon name={isOn ? "pause" : "play"} />
          </button>
        )}
        {parts > 1 && (
          <span class="parts" title={t.recordingCount(parts)}>
            {parts}
          </span>
        )}
      </div>
      {columns.map((column) => (
        <div role="gridcell" key={column} class={toClass(column)}>
          <Value record={record} column={column} search={search} />
        </div>
      ))}
      {search.query.words !== "" && (
        <div role="gridcell" class="passage cut" aria-colspan={columns.length}>
          <LazyPassage passage={search.passages.of(record)} />
        </div>
      )}
    </>
  );
}

const toClass = (column: Column): string => {
  if (isNumeric(column)) return `number is-${column}`;
  return column === "datetime" ? "when" : `cut is-${column}`;
};

const timeOf = ({ datetime }: CallRecord): string | undefined =>
  datetime === null ? undefined : toShown(datetime, zone.value)?.time;

interface ValueProps {
  readonly record: CallRecord;
  readonly column: Column;
  readonly search: Search;
}

function Value({ record, column, search }: ValueProps) {
  const t = text.value;
  if (column === "datetime")
    return <When datetime={record.datetime} hasDay={search.hasDays.value} />;
  if (column === "customer") {
    const to = toRecordRoute(record, search.query.words);
    const name = customerOf(record);
    const shown =
      name === "" ? <span class="quiet">{t.nobody}</span> : <bdi title={name}>{name}</bdi>;
    return to === undefined ? (
      shown
    ) : (
      <a href={writeRoute(to)} tabIndex={-1}>
        {shown}
      </a>
    );
  }
  if (isNumeric(column)) {
    const seconds = valueOf(record, column);
    return <>{seconds === "" ? "" : showSeconds(Number(seconds))}</>;
  }
  const value = column === "agent_name" ? agentOf(record) : valueOf(record, column);
  return <bdi title={value}>{value}</bdi>;
}

interface WhenProps {
  readonly datetime: string | null;
  /** True if a heading above shows the day. */
  readonly hasDay: boolean;
}

function When({ datetime, hasDay }: WhenProps) {
  const t = text.value;
  if (datetime === null) return <span class="quiet">{t.noTime}</span>;
  const shown = toShown(datetime, zone.value);
  if (shown === undefined) return <bdi>{datetime}</bdi>;
  const { date, time, mark } = shown;
  return (
    <>
      <time dateTime={datetime} title={nameRecorded(datetime)}>
        {hasDay ? time : `${date} ${time}`}
      </time>
      {nameZone(zone.value) === undefined && <small>{mark}</small>}
    </>
  );
}
