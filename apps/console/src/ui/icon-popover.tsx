// An icon button and the panel that it opens.
import type { ComponentChildren } from "preact";
import { IconButton } from "./button.tsx";
import { Icon, type IconName } from "./icon.tsx";
import { Popover } from "./popover.tsx";

interface IconPopoverProps {
  readonly id: string;
  readonly icon: IconName;
  readonly label: string;
  readonly shortcut?: string;
  /** True for a button with words next to its icon, if there is room. */
  readonly isNamed?: boolean;
  readonly children: ComponentChildren;
}

export function IconPopover({ id, icon, label, shortcut, isNamed, children }: IconPopoverProps) {
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
      <Popover id={id} label={label} isWide>
        {children}
      </Popover>
    </>
  );
}
