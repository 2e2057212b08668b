// The list of calls: as tall as all rows, but drawn only where the reader is. One request fetches any of 100,000 rows.
import type { CallRecord } from "@call-media/client";
import { computed, type ReadonlySignal, signal, useComputed, useSignal } from "@preact/signals";
import { useEffect, useLayoutEffect, useMemo, useRef } from "preact/hooks";
import { go } from "../address.ts";
import { played } from "../player/playing.ts";
import { type SearchRoute, toReading } from "../route.ts";
import { text } from "../text/text.ts";
import { toShown, zone } from "../time.ts";
import { useKeys } from "../ui/keys.ts";
import { openPopover } from "../ui/popover.tsx";
import { density } from "./density.ts";
import { createLayout, findHeadings, type Layout } from "./layout.ts";
import { ListHead, toTemplate } from "./list-head.tsx";
import { listen, openCall } from "./open-call.ts";
import { Row, type RowProps } from "./row.tsx";
import { repeatSearch } from "./latest.ts";
import type { Search } from "./search.ts";

const HEADING = 36;
const PHONE_ROW = 64;
const ROWS = { dense: 28, usual: 36, wide: 44 } as const;
const OVERSCAN = 300;

const phone = matchMedia("(max-width: 40rem)");
const isPhone = signal(phone.matches);
phone.addEventListener("change", ({ matches }) => (isPhone.value = matches));

const rowHeight = computed(() => (isPhone.value ? PHONE_ROW : ROWS[density.value]));

/** The extra height of a row with a passage. */
const PASSAGE = 24;

const heightOf = ({ query }: Search): number =>
  rowHeight.value + (query.words === "" ? 0 : PASSAGE);

interface ListProps {
  readonly route: SearchRoute;
  readonly search: Search;
}

export function List({ route, search }: ListProps) {
  const grid = useRef<HTMLDivElement>(null);
  const body = useRef<HTMLDivElement>(null);
  const layout = useLayout(search);
  const view = useView(body, search, layout);
  const { current } = search;
  const { count } = search.rows.value;
  useListKeys({ route, search }, layout, body);
  useReturn(grid, search);

  const { value: lay } = layout;
  const shift = lay.headings.length > 0 ? HEADING : 0;
  const [first, end] = view.rows.value;
  const rows = Array.from({ length: end - first }, (_, offset) => first + offset);
  useEffect(() => {
    const { indexAt } = search.rows.value;
    search.results.want(Math.max(0, indexAt(first)), indexAt(end - 1) + 1);
  }, [first, end, search.rows.value]);
  useEffect(() => {
    search.passages.want(rows.flatMap((row) => search.recordAt(row) ?? []));
  }, [first, end, search.rows.value, search.results.revision.value]);
  const headings = new Set(lay.headings);

  return (
    <div
      ref={grid}
      role="grid"
      class={toClass(search)}
      tabIndex={0}
      aria-label={text.value.calls}
      aria-rowcount={count + 1}
      aria-multiselectable="true"
      aria-activedescendant={
        current.value >= first && current.value < end ? `row-${current.value}` : undefined
      }
      style={{
        "--columns": toTemplate(route.columns, search.hasDays.value),
        "--row": `${rowHeight.value}px`,
      }}
    >
      <ListHead route={route} search={search} />
      {shift > 0 && (
        <div class="day is-first" role="presentation" aria-hidden="true">
          {dayOf(search.recordAt(view.top.value))}
        </div>
      )}
      <div ref={body} role="rowgroup" class="rows" style={{ height: `${lay.height - shift}px` }}>
        {rows.map((row) => (
          <ListRow
            key={row}
            row={row}
            top={lay.topOf(row) - shift}
            isFirst={row > 0 && headings.has(row)}
            columns={route.columns}
            search={search}
          />
        ))}
      </div>
    </div>
  );
}

const toClass = ({ hasDays, picked, query }: Search): string =>
  [
    "list",
    hasDays.value ? "" : "is-dated",
    picked.value.size > 0 ? "is-picking" : "",
    query.words === "" ? "" : "has-passages",
  ].join(" ");

interface ListRowProps extends Pick<RowProps, "row" | "top" | "columns" | "search"> {
  /** True for the first row of a day. */
  readonly isFirst: boolean;
}

function ListRow({ isFirst, ...props }: ListRowProps) {
  const { row, search } = props;
  const { current, picked, opened, results } = search;
  const record = search.recordAt(row);
  return (
    <Row
      {...props}
      heading={isFirst ? dayOf(record) : undefined}
      record={record}
      hasFailed={results.failed.value.size > 0}
      isCurrent={row === current.value}
      isPicked={record !== undefined && picked.value.has(record)}
      isOpened={record !== undefined && opened.value.has(record)}
    />
  );
}

const dayOf = (record: CallRecord | undefined): string => {
  if (record === undefined) return "";
  if (record.datetime === null) return text.value.noTime;
  return toShown(record.datetime, zone.value)?.day ?? "";
};

function useLayout(search: Search): ReadonlySignal<Layout> {
  return useComputed(() => {
    const { count, indexAt } = search.rows.value;
    void search.results.revision.value;
    const sizes = { row: heightOf(search), heading: HEADING };
    return createLayout(
      count,
      search.hasDays.value ? findHeadings(daysOf(search, count, indexAt)) : [],
      sizes,
    );
  });
}

/** The days of the loaded rows. If the list equals the search, it iterates over the loaded records only. */
function* daysOf(search: Search, count: number, indexAt: (row: number) => number) {
  if (
    search.query.conditions.length === 0 &&
    indexAt(0) === 0 &&
    indexAt(count - 1) === count - 1
  ) {
    for (const [index, record] of search.results.loaded()) yield [index, dayOf(record)] as const;
    return;
  }
  for (let row = 0; row < count; row++) {
    const record = search.recordAt(row);
    if (record !== undefined) yield [row, dayOf(record)] as const;
  }
}

/** The height of the sticky parts above the rows, and where the rows begin on the page. */
function measure(body: HTMLElement): { readonly sticky: number; readonly start: number } {
  const { top } = body.getBoundingClientRect();
  const head = body.parentElement?.querySelector<HTMLElement>(".head");
  const bar = document.querySelector<HTMLElement>(".bar");
  const strip = body.parentElement?.querySelector<HTMLElement>(".is-first");
  return {
    sticky: (bar?.offsetHeight ?? 0) + (head?.offsetHeight ?? 0) + (strip?.offsetHeight ?? 0),
    start: top + scrollY,
  };
}

/** Tracks the rows to draw and the row at the top. New rows above do not move the rows in view. */
function useView(
  body: { readonly current: HTMLElement | null },
  search: Search,
  layout: ReadonlySignal<Layout>,
) {
  const scrolled = useSignal({ top: 0, height: innerHeight });
  useLayoutEffect(() => {
    const update = () => {
      if (body.current === null) return;
      const { sticky, start } = measure(body.current);
      scrolled.value = { top: scrollY + sticky - start, height: innerHeight - sticky };
    };
    update();
    addEventListener("scroll", update, { passive: true });
    addEventListener("resize", update);
    return () => {
      removeEventListener("scroll", update);
      removeEventListener("resize", update);
    };
  }, [search]);

  const before = useRef<Layout>(layout.value);
  useLayoutEffect(() => {
    const { top } = scrolled.value;
    const [old, now] = [before.current, layout.value];
    before.current = now;
    if (old === now || top <= 0) return;
    const row = old.rowAt(top);
    scrollBy(0, now.topOf(row) - old.topOf(row));
  });
  return useMemo(() => {
    const shift = () => (layout.value.headings.length > 0 ? HEADING : 0);
    return {
      top: computed(() => layout.value.rowAt(Math.max(0, scrolled.value.top) + shift())),
      rows: computed((): readonly [number, number] => {
        const { top, height } = scrolled.value;
        const { count } = search.rows.value;
        if (count === 0) return [0, 0];
        const first = layout.value.rowAt(top - OVERSCAN + shift());
        return [first, Math.min(count, layout.value.rowAt(top + height + OVERSCAN) + 1)];
      }),
    };
  }, [search, layout]);
}

/** Scrolls no more than it takes to have the row in view. */
function scrollToRow(
  body: HTMLElement,
  row: number,
  { search, layout }: { readonly search: Search; readonly layout: Layout },
): void {
  const { sticky, start } = measure(body);
  const shift = layout.headings.length > 0 ? HEADING : 0;
  const top = start + layout.topOf(row) - shift;
  // Bars may cover the bottom.
  const bars = document.querySelector<HTMLElement>(".below")?.offsetHeight ?? 0;
  const below = top + heightOf(search) + Math.max(bars, HEADING) + HEADING - innerHeight;
  if (top < scrollY + sticky) scrollTo(0, row === 0 ? 0 : top - sticky);
  else if (below > scrollY) scrollTo(0, below);
}

function useListKeys(
  { route, search }: ListProps,
  layout: ReadonlySignal<Layout>,
  body: { readonly current: HTMLElement | null },
): void {
  const show = (row: number) => {
    if (body.current !== null) scrollToRow(body.current, row, { search, layout: layout.value });
  };
  const move = (to: number) => {
    const row = Math.max(0, Math.min(search.rows.value.count - 1, to));
    search.current.value = row;
    show(row);
  };
  // Scrolls to the row after other changes too, such as a search in the text.
  const shown = useRef(search.current.value);
  useEffect(() => {
    if (shown.current !== search.current.value) show(search.current.value);
    shown.current = search.current.value;
  }, [search.current.value]);
  const by = (rows: number) => () => move(search.current.value + rows);
  const screen = Math.max(1, Math.floor(innerHeight / heightOf(search)) - 4);
  const record = () => search.recordAt(search.current.value);
  const pick = () => {
    const found = record();
    if (found !== undefined) search.toggle(found);
  };
  const open = () => openCall(search, search.current.value);
  useKeys({
    j: by(1),
    ArrowDown: by(1),
    k: by(-1),
    ArrowUp: by(-1),
    PageDown: by(screen),
    PageUp: by(-screen),
    Home: () => move(0),
    End: () => move(search.rows.value.count - 1),
    Enter: open,
    o: open,
    x: pick,
    J: () => {
      pick();
      move(search.current.value + 1);
    },
    " ": () => listen(search, search.current.value),
    c: () => openPopover("columns"),
    v: () => go(toReading(route)),
    r: repeatSearch,
    Escape: () => {
      if (played.value === undefined) search.picked.value = new Set();
      else played.value = undefined;
    },
  });
}

/** On return from a call, restores the scroll position and the keyboard focus. */
function useReturn(grid: { readonly current: HTMLElement | null }, search: Search): void {
  useLayoutEffect(() => {
    if (search.scrolled > 0) scrollTo(0, search.scrolled);
    if (document.activeElement === document.body) grid.current?.focus({ preventScroll: true });
    const note = () => (search.scrolled = scrollY);
    addEventListener("scroll", note, { passive: true });
    return () => removeEventListener("scroll", note);
  }, [search]);
}
