// The panel that a button opens. Its content exists only while it is open, and each opening has its own.
import { useSignal } from "@preact/signals";
import { type ComponentChildren, Fragment } from "preact";

interface PopoverProps {
  readonly id: string;
  readonly label: string;
  readonly isWide?: boolean;
  readonly children: ComponentChildren;
}

let openings = 0;

export function Popover({ id, label, isWide = false, children }: PopoverProps) {
  const opening = useSignal(0);
  return (
    <div
      id={id}
      class={isWide ? "menu wide" : "menu"}
      popover="auto"
      role="dialog"
      aria-label={label}
      // The browser reports one event if the panel is closed and reopened within a task.
      onToggle={({ newState }) => (opening.value = newState === "open" ? ++openings : 0)}
    >
      {opening.value > 0 && <Fragment key={opening.value}>{children}</Fragment>}
    </div>
  );
}

/** Opens the panel as a click on its button does, below which it then is. */
export const openPopover = (id: string): void =>
  document.querySelector<HTMLElement>(`[popovertarget="${id}"]`)?.click();

export const closePopover = (id: string): void => document.getElementById(id)?.hidePopover();
