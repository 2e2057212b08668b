// An icon button and the panel that it opens. The panel's content exists only while it is open.
import { useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { IconButton } from "./button.tsx";
import { Icon, type IconName } from "./icon.tsx";

interface IconPopoverProps {
  readonly id: string;
  readonly icon: IconName;
  readonly label: string;
  readonly shortcut?: string;
  /** True for a button whose words stand beside its icon, where there is room. */
  readonly isNamed?: boolean;
  readonly children: ComponentChildren;
}

export function IconPopover({ id, icon, label, shortcut, isNamed, children }: IconPopoverProps) {
  const isOpen = useSignal(false);
  return (
    <>
      {isNamed ? (
        <button type="button" class="button quiet" aria-label={label} popovertarget={id}>
          <Icon name={icon} />
          <span class="wide-only">{label}</span>
        </button>
      ) : (
        <IconButton icon={icon} label={label} shortcut={shortcut} popovertarget={id} />
      )}
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
