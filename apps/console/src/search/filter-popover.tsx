// Edits one filter below its chip: the field at the left, its values or a comparison at the right. The list behind it stays.
import type { CallMediaClient } from "@call-media/client";
import { type Signal, useSignal } from "@preact/signals";
import type { TargetedSubmitEvent } from "preact";
import { useEffect } from "preact/hooks";
import { type Field, FIELDS, NUMBERS } from "../fields.ts";
import type { SearchRoute } from "../route.ts";
import { filterWords } from "../text/filter-words.ts";
import { menuWords } from "../text/menu-words.ts";
import { text } from "../text/text.ts";
import { focusFirst } from "../ui/focus.ts";
import { SearchField } from "../ui/search-field.tsx";
import { type Draft, isList, type Mode, toDraft, toFiltered, toModes } from "./filter-draft.ts";
import { ListEditor, RangeEditor, TextEditor } from "./filter-editors.tsx";
import { FilterValues } from "./filter-values.tsx";
import { COUNTED } from "./known-values.ts";
import { hintOf } from "./labels.ts";
import type { Search } from "./search.ts";
import type { Wish } from "./wish.ts";

interface FilterPopoverProps {
  readonly client: CallMediaClient;
  readonly route: SearchRoute;
  readonly search: Search;
  /** The filter to change; undefined adds one. */
  readonly wish: Wish | undefined;
  readonly onDone: (route: SearchRoute) => void;
}

/** The fields that people filter by most. */
const USUAL: readonly Field[] = [
  "agent_name",
  "disposition",
  "campaign",
  "talk_time",
  "customer_last_name",
  "ani",
  "media",
  "recordings",
];

export function FilterPopover(props: FilterPopoverProps) {
  const { route, wish, onDone } = props;
  const draft = useSignal(toDraft(route, wish?.field ?? "agent_name", wish));
  const chosen = useSignal(0);
  useEffect(() => {
    const part = wish === undefined && chosen.value === 0 ? ".field-list" : ".editing";
    focusFirst(`${part} :is(input, select, textarea), [type="submit"]`);
  }, [chosen.value]);
  const choose = (field: Field) => (draft.value = toDraft(route, field, undefined));
  const submit = (event: TargetedSubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    const filtered = toFiltered(route, draft.value, wish);
    if (filtered !== undefined) onDone(filtered);
  };
  return (
    <form class="filtering" onSubmit={submit}>
      <FieldList
        field={draft.value.field}
        onChoose={choose}
        onPick={(field) => {
          choose(field);
          chosen.value += 1;
        }}
      />
      <div class="editing">
        <Modes draft={draft} />
        <Editor {...props} draft={draft} />
      </div>
      <footer>
        <p class="quiet">{toHint(draft.value)}</p>
        <button type="submit" class="button main">
          {wish === undefined ? filterWords().add : filterWords().change}
        </button>
      </footer>
    </form>
  );
}

interface FieldSelectProps {
  readonly field: Field;
  readonly onChoose: (field: Field) => void;
}

interface FieldListProps extends FieldSelectProps {
  /** Chooses a field and goes on to its value. */
  readonly onPick: (field: Field) => void;
}

/** On a phone the same as a select. */
function FieldList({ field, onChoose, onPick }: FieldListProps) {
  const t = text.value;
  const m = menuWords();
  const w = filterWords();
  const wanted = useSignal("");
  const typed = wanted.value.trim().toLowerCase();
  const isWanted = (one: Field) =>
    one !== "datetime" && `${t.fields[one]} ${one}`.toLowerCase().includes(typed);
  const groups: Groups = [
    ["", USUAL.filter(isWanted)],
    [w.allFields, FIELDS.filter((one) => isWanted(one) && !USUAL.includes(one))],
  ];
  return (
    <div class="field-list">
      <SearchField
        class="wide-only"
        label={m.findField}
        value={wanted.value}
        onInput={(value) => (wanted.value = value)}
        onKeyDown={(event) => {
          if (event.key !== "Enter") return;
          event.preventDefault();
          const [first] = groups.flatMap(([, fields]) => fields);
          if (typed !== "" && first !== undefined) onPick(first);
        }}
      />
      <div class="wide-only scrolled" role="group" aria-label={w.field}>
        {groups.map(([label, fields]) => (
          <>
            {label !== "" && fields.length > 0 && <p class="quiet">{label}</p>}
            {fields.map((one) => (
              <button
                key={one}
                type="button"
                class="button quiet"
                aria-pressed={one === field}
                title={hintOf(one)}
                onClick={() => onPick(one)}
              >
                {t.fields[one]}
              </button>
            ))}
          </>
        ))}
      </div>
      <FieldSelect field={field} groups={groups} onChoose={onChoose} />
    </div>
  );
}

type Groups = readonly (readonly [label: string, fields: readonly Field[]])[];

function FieldSelect({ field, groups, onChoose }: FieldSelectProps & { readonly groups: Groups }) {
  const t = text.value;
  return (
    <select
      class="narrow-only"
      aria-label={filterWords().field}
      value={field}
      // The select offers only fields.
      onChange={(event) => onChoose(event.currentTarget.value as Field)}
    >
      {groups.flatMap(([, fields]) =>
        fields.map((one) => (
          <option key={one} value={one}>
            {t.fields[one]}
          </option>
        )),
      )}
    </select>
  );
}

function Modes({ draft }: { readonly draft: Signal<Draft> }) {
  const w = filterWords();
  const modes = toModes(draft.value.field);
  if (modes.length < 2) return null;
  return (
    <div class="choice" role="group" aria-label={w.comparison}>
      {modes.map((mode) => (
        <button
          key={mode}
          type="button"
          class="button quiet"
          aria-pressed={mode === draft.value.mode}
          onClick={() => (draft.value = { ...draft.value, mode })}
        >
          {nameMode(mode, draft.value.field)}
        </button>
      ))}
    </div>
  );
}

interface EditorProps extends FilterPopoverProps {
  readonly draft: Signal<Draft>;
}

function Editor({ client, route, search, draft }: EditorProps) {
  const { field, mode } = draft.value;
  if (mode === "empty" || mode === "present") return null;
  if (mode === "range") return <RangeEditor draft={draft} />;
  if (mode === "is" && isList(field)) return <ListEditor draft={draft} />;
  // A field with few values offers those that were seen.
  const counted = COUNTED.find((one) => one === field);
  if (mode === "is" && counted !== undefined)
    return (
      <FilterValues
        key={counted}
        client={client}
        route={route}
        search={search}
        field={counted}
        draft={draft}
      />
    );
  return <TextEditor key={field} draft={draft} search={search} />;
}

function nameMode(mode: Mode, field: Field): string {
  const t = text.value;
  const w = filterWords();
  if (mode === "range") return w.range;
  if (mode === "is")
    return isList(field) || COUNTED.some((one) => one === field) ? w.isOneOf : t.comparisons["=="];
  if (mode === "empty") return field === "recordings" ? w.hasNone : t.nothingIn;
  if (mode === "present") return field === "recordings" ? w.hasSome : t.somethingIn;
  return t.comparisons[mode];
}

function toHint({ field, mode, values }: Draft): string {
  const t = text.value;
  const w = filterWords();
  if (mode === "is" && isList(field)) return w.listHint;
  if (mode === "is" && values.length > 1) return w.joined;
  if (mode === "is" && !NUMBERS.has(field))
    return /^(?:ani|dnis|phone_number)/.test(field) ? w.anyNotation : w.checkedByService;
  return mode === "~" && field === "transcript" ? w.alsoChats : t.checkedHere;
}
