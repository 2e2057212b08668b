// Edits one filter: a field, a comparison and a value, with known values to choose from.
import { type Comparison, readSeconds } from "@call-media/conditions";
import { useSignal } from "@preact/signals";
import type { TargetedSubmitEvent } from "preact";
import {
  type Field,
  type FilterField,
  type Group,
  GROUPS,
  isFilterField,
  isTelephone,
  NUMBERS,
  valueOf,
} from "../fields.ts";
import { text } from "../text/text.ts";
import { Dialog } from "../ui/dialog.tsx";
import { hintOf, nameValue } from "./labels.ts";
import type { Search } from "./search.ts";
import type { Wish } from "./wish.ts";

/** The choice in the list of comparisons; `service` compares as the service does. */
type Choice = "service" | Comparison | "empty" | "present";

const MOST_KNOWN = 200;

interface FilterDialogProps {
  readonly wish: Wish | undefined;
  readonly search: Search;
  /** True if the search already has another value of the field, which this one joins. */
  readonly isTaken: (field: Field) => boolean;
  readonly onDone: (wish: Wish) => void;
  readonly onClose: () => void;
}

export function FilterDialog({ wish, search, isTaken, onDone, onClose }: FilterDialogProps) {
  const t = text.value;
  const field = useSignal<Field>(wish?.field ?? "agent_name");
  const choice = useSignal(wish && toChoice(wish));
  const value = useSignal(wish === undefined ? "" : toTyped(wish));
  const choices = toChoices(field.value);
  const chosen = choices.find((one) => one === choice.value) ?? choices[0] ?? "~";
  const hasValue = chosen !== "empty" && chosen !== "present";
  const isNumber = NUMBERS.has(field.value);
  const seconds = readMinutes(value.value);

  const submit = (event: TargetedSubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    onDone(toWish(field.value, chosen, value.value.trim()));
  };
  return (
    <Dialog
      title={t.addFilter}
      onClose={onClose}
      footer={
        <>
          <p class="quiet">
            {isNumber && hasValue && seconds !== undefined && `${t.secondsOf(seconds)} `}
            {chosen === "service" && isTaken(field.value) ? t.joined : toHint(field.value, chosen)}
          </p>
          <button type="submit" form="filter" class="button main">
            {wish === undefined ? t.add : t.change}
          </button>
        </>
      }
    >
      <form id="filter" class="one-filter" onSubmit={submit}>
        <label>
          <span>{t.field}</span>
          <select
            value={field.value}
            title={hintOf(field.value)}
            // The select offers only fields.
            onChange={(event) => (field.value = event.currentTarget.value as Field)}
          >
            {Object.entries(GROUPS).map(([group, fields]) => (
              // One of the keys of the groups.
              <optgroup key={group} label={t.groups[group as Group]}>
                {fields
                  .filter((one) => one !== "datetime")
                  .map((one) => (
                    <option key={one} value={one}>
                      {t.fields[one]}
                    </option>
                  ))}
              </optgroup>
            ))}
          </select>
        </label>
        <label>
          <span>{t.comparison}</span>
          <select
            value={chosen}
            // The select offers only choices.
            onChange={(event) => (choice.value = event.currentTarget.value as Choice)}
          >
            {choices.map((one) => (
              <option key={one} value={one}>
                {nameChoice(one)}
              </option>
            ))}
          </select>
        </label>
        {hasValue && (
          <label>
            <span>{isNumber ? t.minutes : t.value}</span>
            <input
              autofocus
              required
              pattern={isNumber ? MINUTES : undefined}
              title={isNumber ? t.minutesHint : undefined}
              list="known"
              dir="auto"
              autocomplete="off"
              value={value.value}
              onInput={(event) => (value.value = event.currentTarget.value)}
            />
            <datalist id="known">
              {findKnown(search, field.value).map((one) => (
                <option key={one} value={one} />
              ))}
            </datalist>
          </label>
        )}
      </form>
    </Dialog>
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

/** `10` and `10m` are minutes; `9:30` is minutes and seconds; also `90s` and `1h`. */
const MINUTES = String.raw`\s*(?:\d{1,5}|\d{1,5}(?::[0-5]\d){1,2}|\d{1,7}[hms])\s*`;

/** In seconds; undefined if the text is not a duration. */
function readMinutes(typed: string): number | undefined {
  const written = typed.trim();
  if (!new RegExp(`^${MINUTES}$`).test(written)) return undefined;
  return readSeconds(/^\d+$/.test(written) ? `${written}m` : written);
}

/** Shows the value as the user would type it. */
const toTyped = ({ field, value }: Wish): string => (value === null ? "" : nameValue(field, value));

function toChoices(field: Field): Choice[] {
  const own: Choice[] = isFilterField(field) ? ["service"] : [];
  // Offers orderings first, because nobody knows an exact duration.
  if (NUMBERS.has(field)) return [">=", "<=", ">", "<", ...own, "!=", "empty", "present"];
  return [...own, "~", "!=", "empty", "present"];
}

function toChoice(wish: Wish): Choice {
  if (!("comparison" in wish)) return "service";
  if (wish.value === null) return wish.comparison === "==" ? "empty" : "present";
  return wish.comparison;
}

function toWish(field: Field, choice: Choice, value: string): Wish {
  if (choice === "empty" || choice === "present")
    return { field, comparison: choice === "empty" ? "==" : "!=", value: null };
  // The service's own comparison is offered only for fields it can filter by.
  const meant = NUMBERS.has(field) ? (readMinutes(value) ?? 0) : value;
  if (choice === "service") return { field: field as FilterField, value: String(meant) };
  return { field, comparison: choice, value: meant };
}

function nameChoice(choice: Choice): string {
  const t = text.value;
  if (choice === "service") return t.comparisons["=="];
  if (choice === "empty") return t.nothingIn;
  return choice === "present" ? t.somethingIn : t.comparisons[choice];
}

function toHint(field: Field, choice: Choice): string {
  const t = text.value;
  if (choice === "service") return isTelephone(field) ? t.anyNotation : t.checkedByService;
  return choice === "~" && field === "transcript" ? t.alsoChats : t.checkedHere;
}
