// Keyboard shortcuts of the complete page, inactive while the user types.
import { useEffect, useRef } from "preact/hooks";
import { kept } from "../kept.ts";

/** Can be turned off: single keys may conflict with speech input and are easily hit by accident (WCAG 2.1.4). */
export const hasShortcuts = kept("shortcuts", true, (value) =>
  typeof value === "boolean" ? value : undefined,
);

export type Keys = Readonly<Record<string, (() => void) | undefined>>;

/** `Alt+ArrowLeft`, `Shift+Enter`, `J`: a letter's case already says whether Shift is held. */
const toName = ({ key, altKey, shiftKey }: KeyboardEvent): string =>
  `${altKey ? "Alt+" : ""}${shiftKey && key.length > 1 ? "Shift+" : ""}${key}`;

// Elements that handle keys themselves.
const TYPING = "input:not([type=checkbox], [type=range]), select, textarea";
const PRESSED = "button, a, summary, [role=slider], input";

function isOthers(event: KeyboardEvent): boolean {
  if (event.ctrlKey || event.metaKey || event.defaultPrevented) return true;
  // Escape closes the open element, and the page below gets no keys.
  if (document.querySelector(":popover-open, dialog[open]") !== null) return true;
  const { target } = event;
  if (!(target instanceof Element)) return false;
  if (target.closest(TYPING) !== null) return true;
  return (event.key === " " || event.key === "Enter") && target.closest(PRESSED) !== null;
}

export function useKeys(keys: Keys): void {
  const latest = useRef(keys);
  latest.current = keys;
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (isOthers(event)) return;
      const isSingle = event.key.length === 1 && event.key !== " ";
      if (isSingle && !hasShortcuts.value) return;
      const act = latest.current[toName(event)];
      if (act === undefined) return;
      event.preventDefault();
      act();
    };
    addEventListener("keydown", onKeyDown);
    return () => removeEventListener("keydown", onKeyDown);
  }, []);
}
