// Moves the focus into an open panel. The browser does so only if the code of the content is there when the panel opens.
import { useEffect } from "preact/hooks";

/** Focuses the first of these that is visible. */
export function focusFirst(selector: string): void {
  const found = document.querySelectorAll<HTMLElement>(`:popover-open :is(${selector})`);
  [...found].find((one) => one.checkVisibility())?.focus();
}

export const useFocus = (): void => useEffect(() => focusFirst("button, input, select, a"), []);
