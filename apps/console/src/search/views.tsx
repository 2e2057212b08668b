// The button of the kept searches. What it opens is loaded then.
import { useSignal } from "@preact/signals";
import type { SearchRoute } from "../route.ts";
import { text } from "../text/text.ts";
import { IconButton } from "../ui/button.tsx";
import { lazy } from "../ui/lazy.tsx";

export function Views({ route }: { readonly route: SearchRoute }) {
  const t = text.value;
  const isOpen = useSignal(false);
  return (
    <>
      <IconButton icon="keep" label={t.views} popovertarget="views" />
      <div
        id="views"
        class="menu wide"
        popover="auto"
        role="dialog"
        aria-label={t.views}
        onToggle={(event) => (isOpen.value = event.newState === "open")}
      >
        {isOpen.value && <LazyKeptViews route={route} />}
      </div>
    </>
  );
}

const LazyKeptViews = lazy(async () => (await import("./kept-views.tsx")).KeptViews);
