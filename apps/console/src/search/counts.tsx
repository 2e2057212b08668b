// The button that counts the legs of the search by a field.
import { useSignal } from "@preact/signals";
import type { FilterField } from "../fields.ts";
import { text } from "../text/text.ts";
import { IconButton } from "../ui/button.tsx";
import { lazy } from "../ui/lazy.tsx";
import type { CountsProps } from "./count-values.tsx";
import { COUNTED } from "./known-values.ts";

export function Counts(props: CountsProps) {
  const t = text.value;
  const field = useSignal<FilterField>("campaign");
  const isOpen = useSignal(false);
  return (
    <>
      <IconButton icon="counts" label={t.counts} popovertarget="counts" />
      <div
        id="counts"
        class="menu wide"
        popover="auto"
        role="dialog"
        aria-label={t.counts}
        onToggle={(event) => (isOpen.value = event.newState === "open")}
      >
        <label>
          <span>{t.countsOf}</span>
          <select
            value={field.value}
            // Its options are such fields.
            onChange={(event) => (field.value = event.currentTarget.value as FilterField)}
          >
            {COUNTED.map((one) => (
              <option key={one} value={one}>
                {t.fields[one]}
              </option>
            ))}
          </select>
        </label>
        {isOpen.value && <LazyCountValues {...props} field={field.value} />}
      </div>
    </>
  );
}

const LazyCountValues = lazy(async () => (await import("./count-values.tsx")).CountValues);
