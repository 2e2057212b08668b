// An icon button and the panel that it opens. The panel's content exists only while it is open.
import { useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { IconButton } from "./button.tsx";
import type { IconName } from "./icon.tsx";

interface IconPopoverProps {
  readonly id: string;
  readonly icon: IconName;
  readonly label: string;
  readonly shortcut?: string;
  readonly children: ComponentChildren;
}

export function IconPopover({ id, icon, label, shortcut, children }: IconPopoverProps) {
  const isOpen = useSignal(false);
  return (
    <>
      <IconButton icon={icon} label={label} shortcut={shortcut} popovertarget={id} />
      <div
        id={id}
        class="menu wide"
        popover="auto"
        role="dialog"
        aria-label={label}
        onToggle={(event) => (isOpen.value = event.newState === "open")}
      >
        {isOpen.value && children}
      </div>
    </>
  );
}
