// Names the days of a search, and opens the menu that changes them.
import type { SearchRoute } from "../route.ts";
import { text } from "../text/text.ts";
import { Icon } from "../ui/icon.tsx";
import { lazy } from "../ui/lazy.tsx";
import { Popover } from "../ui/popover.tsx";
import { nameDays } from "./labels.ts";

const LazyDaysMenu = lazy(async () => (await import("./days-menu.tsx")).DaysMenu);

export function DaysButton({ route }: { readonly route: SearchRoute }) {
  return (
    <>
      <button type="button" class="button" popovertarget="days">
        <span class="cut">{nameDays(route.days)}</span>
        <Icon name="down" isSmall />
      </button>
      <Popover id="days" label={text.value.days}>
        <LazyDaysMenu route={route} />
      </Popover>
    </>
  );
}
