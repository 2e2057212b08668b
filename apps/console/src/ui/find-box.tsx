// A box to find text on a page, with the number of the hit and buttons to move to the others.
import { text } from "../text/text.ts";
import { IconButton } from "./button.tsx";
import { SearchField } from "./search-field.tsx";

interface FindBoxProps {
  readonly label: string;
  readonly value: string;
  /** The index of the hit, from 0, and the number of hits. */
  readonly place: number;
  readonly count: number;
  readonly onInput: (value: string) => void;
  readonly onStep: (by: number) => void;
}

const findBox = () => document.getElementById("find");

export const focusFindBox = (): void => findBox()?.focus();

export function FindBox({ label, value, place, count, onInput, onStep }: FindBoxProps) {
  const t = text.value;
  return (
    <>
      <SearchField
        id="find"
        label={label}
        value={value}
        onInput={onInput}
        onKeyDown={({ key, shiftKey }) => {
          if (key === "Enter") onStep(shiftKey ? -1 : 1);
          if (key === "Escape") findBox()?.blur();
        }}
      >
        {value !== "" && (
          <span class="number" role="status">
            {count === 0 ? t.noHits : t.hits(place + 1, count)}
          </span>
        )}
      </SearchField>
      {value !== "" && (
        <span class="steps">
          <IconButton icon="up" label={t.previousHit} shortcut="P" onClick={() => onStep(-1)} />
          <IconButton icon="down" label={t.nextHit} shortcut="N" onClick={() => onStep(1)} />
        </span>
      )}
    </>
  );
}
