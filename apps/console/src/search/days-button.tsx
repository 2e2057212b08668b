// Names the days of a search, and opens the menu that changes them.
import { useSignal } from "@preact/signals";
import type { SearchRoute } from "../route.ts";
import { text } from "../text/text.ts";
import { Icon } from "../ui/icon.tsx";
import { lazy } from "../ui/lazy.tsx";
import { nameDays } from "./labels.ts";

const LazyDaysMenu = lazy(async () => (await import("./days-menu.tsx")).DaysMenu);

export function DaysButton({ route }: { readonly route: SearchRoute }) {
  const isOpen = useSignal(false);
  return (
    <>
      <button type="button" class="button" popovertarget="days">
        <span class="cut">{nameDays(route.days)}</span>
        <Icon name="down" isSmall />
      </button>
      <div
        id="days"
        class="menu"
        popover="auto"
        role="dialog"
        aria-label={text.value.days}
        onToggle={(event) => (isOpen.value = event.newState === "open")}
      >
        {isOpen.value && <LazyDaysMenu route={route} />}
      </div>
    </>
  );
}
