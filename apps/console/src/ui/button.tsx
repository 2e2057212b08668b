// Icon buttons: their words are the accessible name, and the tooltip also shows the shortcut.
import { Icon, type IconName } from "./icon.tsx";

interface IconButtonProps {
  readonly icon: IconName;
  readonly label: string;
  /** The shortcut key, as printed on it. */
  readonly shortcut?: string | undefined;
  readonly isPressed?: boolean;
  readonly class?: string;
  readonly popovertarget?: string;
  readonly onClick?: () => void;
}

export function IconButton(props: IconButtonProps) {
  const { icon, label, shortcut, isPressed, popovertarget, onClick } = props;
  return (
    <button
      type="button"
      class={`button quiet icon-only ${props.class ?? ""}`}
      aria-label={label}
      title={shortcut === undefined ? label : `${label} (${shortcut})`}
      aria-pressed={isPressed}
      popovertarget={popovertarget}
      onClick={onClick}
    >
      <Icon name={icon} />
    </button>
  );
}
