// A box to search in a list or a text.
import type { ComponentChildren } from "preact";
import { Icon } from "./icon.tsx";

interface SearchFieldProps {
  readonly id?: string;
  readonly class?: string;
  readonly label: string;
  readonly value: string;
  readonly onInput: (value: string) => void;
  readonly onKeyDown?: (event: KeyboardEvent) => void;
  /** The elements at its end. */
  readonly children?: ComponentChildren;
}

export function SearchField(props: SearchFieldProps) {
  const { id, label, value, onInput, onKeyDown, children } = props;
  return (
    <div class={`box ${props.class ?? ""}`}>
      <Icon name="search" isSmall />
      <input
        id={id}
        type="search"
        dir="auto"
        autocomplete="off"
        aria-label={label}
        placeholder={label}
        value={value}
        onInput={(event) => onInput(event.currentTarget.value)}
        onKeyDown={onKeyDown}
      />
      {children}
    </div>
  );
}
