// The actions for the picked calls, in a bar that slides in from below and covers complete rows.
import { toSelector } from "@call-media/handover";
import { type SearchRoute, writeRoute } from "../route.ts";
import { menuWords } from "../text/menu-words.ts";
import { text } from "../text/text.ts";
import { copy } from "../ui/copy.ts";
import { toCommand } from "./command.ts";
import type { Search } from "./search.ts";
import { toHandOver, toRange } from "./to-hand-over.ts";

interface PickedBarProps {
  readonly route: SearchRoute;
  readonly search: Search;
}

export function PickedBar({ route, search }: PickedBarProps) {
  const t = text.value;
  const m = menuWords();
  const { picked, query } = search;
  const records = [...picked.value];
  const ids = records.map(({ call_id, ref_id }) => call_id ?? ref_id ?? "").filter(Boolean);
  return (
    <section class="picked" aria-label={m.selected(picked.value.size)}>
      <strong>{m.selected(picked.value.size)}</strong>
      <a class="button main" href={writeRoute(toHandOver(route, query.range, records))}>
        {t.handOver}
      </a>
      <button
        type="button"
        class="button"
        onClick={() => void copy(ids.join("\n"), m.copiedIds(ids.length))}
      >
        {m.copyIds}
      </button>
      <button
        type="button"
        class="button quiet wide-only"
        onClick={() =>
          void copy(
            toCommand(
              {
                query: { ...query, range: toRange(query.range, records) },
                picked: records.flatMap((record) => toSelector(record) ?? []),
              },
              ["--out calls"],
            ),
            m.copiedCommand,
          )
        }
      >
        {m.copyCommand}
      </button>
      <button type="button" class="button quiet" onClick={() => (picked.value = new Set())}>
        {m.clear}
      </button>
    </section>
  );
}
