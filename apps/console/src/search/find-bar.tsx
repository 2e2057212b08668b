// Finds text in the rows that are loaded, as a browser finds text on a page: from below, hit after hit.
import { toContains } from "@call-media/conditions";
import { useSignal } from "@preact/signals";
import { useEffect, useMemo, useRef } from "preact/hooks";
import type { Column } from "../route.ts";
import { text } from "../text/text.ts";
import { IconButton } from "../ui/button.tsx";
import { Icon } from "../ui/icon.tsx";
import { isFinding } from "./finding.ts";
import { type Search, textOf } from "./search.ts";

interface FindBarProps {
  readonly columns: readonly Column[];
  readonly search: Search;
}

export function FindBar({ columns, search }: FindBarProps) {
  const t = text.value;
  const words = useSignal("");
  const box = useRef<HTMLInputElement>(null);
  const { rows, results, current } = search;
  const found = useMemo(
    () => findRows(search, columns, words.value),
    [search, columns, words.value, rows.value, results.revision.value],
  );
  useEffect(() => box.current?.focus(), []);

  const step = (by: 1 | -1) => {
    const { value: at } = current;
    const next =
      by > 0
        ? (found.hits.find((row) => row > at) ?? found.hits[0])
        : (found.hits.findLast((row) => row < at) ?? found.hits.at(-1));
    if (next !== undefined) current.value = next;
  };
  const close = () => {
    isFinding.value = false;
    document.querySelector<HTMLElement>(".list")?.focus({ preventScroll: true });
  };
  const place = found.hits.indexOf(current.value) + 1;
  return (
    <search class="below-bar">
      <div class="box">
        <Icon name="search" isSmall />
        <input
          ref={box}
          type="search"
          aria-label={t.findLoaded}
          placeholder={t.findLoaded}
          autocomplete="off"
          dir="auto"
          onInput={(event) => (words.value = event.currentTarget.value)}
          onKeyDown={({ key, shiftKey }) => {
            if (key === "Enter") step(shiftKey ? -1 : 1);
            if (key === "Escape") close();
          }}
        />
      </div>
      <span role="status">
        {words.value.trim() !== "" &&
          `${t.hits(place, found.hits.length)}, ${t.ofLoaded(found.loaded)}`}
      </span>
      <IconButton icon="up" label={t.previousHit} onClick={() => step(-1)} />
      <IconButton icon="down" label={t.nextHit} onClick={() => step(1)} />
      <span class="grow" />
      <IconButton icon="close" label={t.close} shortcut="Esc" onClick={close} />
    </search>
  );
}

/** The loaded rows with the words in their columns. */
function findRows({ rows, recordAt }: Search, columns: readonly Column[], words: string) {
  const wanted = words.trim();
  const isHit = toContains(wanted);
  const hits: number[] = [];
  let loaded = 0;
  for (let row = 0; row < rows.value.count; row++) {
    const record = recordAt(row);
    if (record === undefined) continue;
    loaded++;
    if (wanted !== "" && columns.some((column) => isHit(textOf(record, column)))) hits.push(row);
  }
  return { hits, loaded };
}
