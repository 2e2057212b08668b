// The boxes of a filter: a text, seconds from and to, or a list of identifiers.
import type { Signal } from "@preact/signals";
import { type Field, valueOf } from "../fields.ts";
import { filterWords } from "../text/filter-words.ts";
import { text } from "../text/text.ts";
import { showSeconds } from "../time.ts";
import { type Draft, MINUTES, readMinutes } from "./filter-draft.ts";
import { MAX_LISTED, splitList } from "./id-paste.ts";
import { nameValue } from "./labels.ts";
import type { Search } from "./search.ts";

interface EditorProps {
  readonly draft: Signal<Draft>;
}

const MOST_KNOWN = 200;

export function TextEditor({ draft, search }: EditorProps & { readonly search: Search }) {
  const { field, typed, mode, values } = draft.value;
  // A single value is changed where it is typed.
  const shown = mode === "is" && values.length > 0 ? (values[0] ?? "") : typed;
  const change = (value: string) => {
    const rest = mode === "is" ? values.slice(1) : values;
    draft.value = { ...draft.value, typed: value, values: rest };
  };
  return (
    <label>
      <span>{filterWords().value}</span>
      <input
        required
        list="known"
        dir="auto"
        autocomplete="off"
        value={shown}
        onInput={(event) => change(event.currentTarget.value)}
      />
      <datalist id="known">
        {findKnown(search, field).map((one) => (
          <option key={one} value={one} />
        ))}
      </datalist>
    </label>
  );
}

/** The values seen in this search, most frequent first. */
function findKnown({ results }: Search, field: Field): string[] {
  if (field === "transcript" || field === "notes") return [];
  const counts = new Map<string, number>();
  for (const [, record] of results.loaded()) {
    const value = valueOf(record, field);
    if (value !== "") counts.set(value, (counts.get(value) ?? 0) + 1);
  }
  return [...counts]
    .toSorted(([, one], [, other]) => other - one)
    .slice(0, MOST_KNOWN)
    .map(([value]) => nameValue(field, value));
}

/** Seconds of which people ask most: a call that hardly was one, and long ones. */
const RANGES = [
  { from: undefined, to: 10 },
  { from: 300, to: undefined },
  { from: 600, to: undefined },
  { from: 1800, to: undefined },
] as const;

export function RangeEditor({ draft }: EditorProps) {
  const t = text.value;
  const w = filterWords();
  const { typed, to } = draft.value;
  const seconds = readMinutes(typed) ?? readMinutes(to);
  const show = (value: number | undefined) => (value === undefined ? "" : showSeconds(value));
  return (
    <>
      <div class="presets">
        {RANGES.map(({ from, to: last }) => (
          <button
            key={from ?? last}
            type="button"
            class="button quiet"
            onClick={() => (draft.value = { ...draft.value, typed: show(from), to: show(last) })}
          >
            {from === undefined ? t.orLess(show(last)) : t.orMore(show(from))}
          </button>
        ))}
      </div>
      <Duration
        label={w.fromSeconds}
        value={typed}
        isRequired={to.trim() === ""}
        onInput={(value) => (draft.value = { ...draft.value, typed: value })}
      />
      <Duration
        label={w.toSeconds}
        value={to}
        isRequired={false}
        onInput={(value) => (draft.value = { ...draft.value, to: value })}
      />
      <p class="quiet" role="status">
        {seconds === undefined ? w.minutesHint : w.secondsOf(seconds)}
      </p>
    </>
  );
}

interface DurationProps {
  readonly label: string;
  readonly value: string;
  readonly isRequired: boolean;
  readonly onInput: (value: string) => void;
}

function Duration({ label, value, isRequired, onInput }: DurationProps) {
  return (
    <label>
      <span>{label}</span>
      <input
        class="number"
        required={isRequired}
        pattern={MINUTES}
        title={filterWords().minutesHint}
        autocomplete="off"
        value={value}
        onInput={(event) => onInput(event.currentTarget.value)}
      />
    </label>
  );
}

/** Takes what another program has copied, with a value in each line or between commas. */
export function ListEditor({ draft }: EditorProps) {
  const t = text.value;
  const w = filterWords();
  const { values } = draft.value;
  const change = (box: HTMLTextAreaElement) => {
    const list = splitList(box.value);
    box.setCustomValidity(list.length > MAX_LISTED ? t.tooManyListed(list.length, MAX_LISTED) : "");
    draft.value = { ...draft.value, values: list };
  };
  return (
    <label class="list-label">
      <span>{w.listOf(values.length)}</span>
      <textarea
        required
        rows={8}
        spellcheck={false}
        defaultValue={values.join("\n")}
        onInput={(event) => change(event.currentTarget)}
      />
    </label>
  );
}
