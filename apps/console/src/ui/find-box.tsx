// A box to find text on a page, with the number of the hit and buttons to move to the others.
import { text } from "../text/text.ts";
import { IconButton } from "./button.tsx";
import { Icon } from "./icon.tsx";

interface FindBoxProps {
  readonly label: string;
  readonly value: string;
  /** The index of the hit, from 0, and the number of hits. */
  readonly place: number;
  readonly count: number;
  readonly onInput: (value: string) => void;
  readonly onStep: (by: number) => void;
}

export const focusFindBox = (): void => document.getElementById("find")?.focus();

export function FindBox({ label, value, place, count, onInput, onStep }: FindBoxProps) {
  const t = text.value;
  return (
    <>
      <div class="box">
        <Icon name="search" isSmall />
        <input
          id="find"
          type="search"
          aria-label={label}
          placeholder={label}
          value={value}
          onInput={(event) => onInput(event.currentTarget.value)}
          onKeyDown={(event) => {
            if (event.key === "Enter") onStep(event.shiftKey ? -1 : 1);
            if (event.key === "Escape") event.currentTarget.blur();
          }}
        />
        {value !== "" && (
          <span class="number" role="status">
            {count === 0 ? t.noHits : t.hits(place + 1, count)}
          </span>
        )}
      </div>
      {value !== "" && (
        <span class="steps">
          <IconButton icon="up" label={t.previousHit} shortcut="P" onClick={() => onStep(-1)} />
          <IconButton icon="down" label={t.nextHit} shortcut="N" onClick={() => onStep(1)} />
        </span>
      )}
    </>
  );
}
