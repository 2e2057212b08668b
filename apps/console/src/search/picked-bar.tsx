// The actions for the picked calls, in a bar that slides in from below and covers complete rows.
import { HandOverButton } from "../hand-over/hand-over-button.tsx";
import { text } from "../text/text.ts";
import { copy } from "../ui/copy.ts";
import { toCommand } from "./command.ts";
import type { Search } from "./search.ts";

interface PickedBarProps {
  readonly search: Search;
}

export function PickedBar({ search }: PickedBarProps) {
  const t = text.value;
  const { picked, query } = search;
  const ids = [...picked.value]
    .map(({ call_id, ref_id }) => call_id ?? ref_id ?? "")
    .filter(Boolean);
  return (
    <section class="picked" aria-label={t.selected(picked.value.size)}>
      <strong>{t.selected(picked.value.size)}</strong>
      <HandOverButton query={query} picked={[...picked.value]} isMain />
      <button
        type="button"
        class="button"
        onClick={() => void copy(ids.join("\n"), t.copiedIds(ids.length))}
      >
        {t.copyIds}
      </button>
      <button
        type="button"
        class="button quiet wide-only"
        onClick={() =>
          void copy(
            toCommand({ query, picked: [...picked.value] }, ["--out calls"]),
            t.copiedCommand,
          )
        }
      >
        {t.copyCommand}
      </button>
      <button type="button" class="button quiet" onClick={() => (picked.value = new Set())}>
        {t.clear}
      </button>
    </section>
  );
}
