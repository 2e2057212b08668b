// Buttons that are drawings: their words are the name, and the tooltip with the key that does the same.
import { Icon, type IconName } from "./icon.tsx";

interface IconButtonProps {
  readonly icon: IconName;
  readonly label: string;
  /** The key with the same effect, as written on it. */
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
