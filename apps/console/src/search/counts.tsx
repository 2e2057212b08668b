// The button that counts the calls that are here by a field.
import { useSignal } from "@preact/signals";
import { type Field, GROUPS } from "../fields.ts";
import { text } from "../text/text.ts";
import { IconButton } from "../ui/button.tsx";
import { lazy } from "../ui/lazy.tsx";
import type { CountsProps } from "./count-values.tsx";

// Fields with few values; each name and number is its own.
const COUNTED: readonly Field[] = [
  "campaign",
  "disposition",
  "agent_name",
  "skill",
  "agent_group",
  "call_type",
  "media",
  "country",
  ...GROUPS.custom,
  ...GROUPS.rights,
];

export function Counts({ route, search }: CountsProps) {
  const t = text.value;
  const field = useSignal<Field>("campaign");
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
            // Its options are fields.
            onChange={(event) => (field.value = event.currentTarget.value as Field)}
          >
            {COUNTED.map((one) => (
              <option key={one} value={one}>
                {t.fields[one]}
              </option>
            ))}
          </select>
        </label>
        {isOpen.value && <LazyCountValues route={route} search={search} field={field.value} />}
      </div>
    </>
  );
}

const LazyCountValues = lazy(async () => (await import("./count-values.tsx")).CountValues);
