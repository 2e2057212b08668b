// The form for the fields that a hand-over hides. It immediately shows the number of places, and the values that remain.
import { type Field, type Hidden, listMasked, previewHidden } from "@call-media/handover";
import { useMemo } from "preact/hooks";
import { valueOf } from "../fields.ts";
import { text } from "../text/text.ts";
import {
  createBars,
  groupHidden,
  hide,
  HIDDEN_GROUP_NAMES,
  HIDDEN_GROUPS,
  OTHER_FIELDS,
} from "./choices.ts";
import { LeaveOut, type PreparingProps } from "./goes-along.tsx";
import { words } from "./words.ts";

export function Hide(props: PreparingProps) {
  const { handing } = props;
  const w = words();
  const { value: choices } = handing.choices;
  const { redact } = choices;
  const isBarred = createBars(handing.selection.query);
  const set = (fields: readonly Field[], isHidden: boolean) =>
    (handing.choices.value = hide(choices, fields, isHidden));
  return (
    <section aria-labelledby="hide">
      <h2 id="hide">
        {w.hide} <small>{w.hideHint}</small>
      </h2>
      <div class="checks" role="group" aria-labelledby="hide">
        {HIDDEN_GROUP_NAMES.map((group) => (
          <FieldsCheck
            key={group}
            label={w.groups[group]}
            fields={HIDDEN_GROUPS[group]}
            redact={redact}
            isBarred={HIDDEN_GROUPS[group].some(isBarred)}
            onChange={set}
          />
        ))}
      </div>
      {HIDDEN_GROUP_NAMES.some((group) => HIDDEN_GROUPS[group].some(isBarred)) && (
        <p class="quiet">{w.searchedBy}</p>
      )}
      <details>
        <summary>{w.otherFields(groupHidden(redact).others.length)}</summary>
        <div class="checks">
          {OTHER_FIELDS.map((field) => (
            <FieldsCheck
              key={field}
              label={text.value.fields[field]}
              fields={[field]}
              redact={redact}
              isBarred={isBarred(field)}
              onChange={set}
            />
          ))}
        </div>
      </details>
      {redact.length > 0 && <Preview {...props} />}
    </section>
  );
}

interface FieldsCheckProps {
  readonly label: string;
  readonly fields: readonly Field[];
  readonly redact: readonly Field[];
  readonly isBarred: boolean;
  readonly onChange: (fields: readonly Field[], isHidden: boolean) => void;
}

function FieldsCheck({ label, fields, redact, isBarred, onChange }: FieldsCheckProps) {
  return (
    <label title={isBarred ? words().searchedBy : undefined}>
      <input
        type="checkbox"
        checked={fields.every((field) => redact.includes(field))}
        disabled={isBarred}
        onChange={({ currentTarget }) => onChange(fields, currentTarget.checked)}
      />
      {label}
    </label>
  );
}

function Preview({ route, handing, ready: { listing } }: PreparingProps) {
  const w = words();
  const { value: choices } = handing.choices;
  const hidden = useMemo(
    () =>
      previewHidden(
        listing.records.map(({ raw }) => raw),
        listMasked(choices),
      ),
    [listing, choices.redact, choices.files],
  );
  return (
    <>
      <p role="status">
        <b>{w.hiddenIn(hidden.places)}</b> <span class="quiet">{w.maskHint}</span>
      </p>
      {hidden.leftCount > 0 && <Left hidden={hidden} route={route} />}
      {hidden.timesLeft > 0 && <p class="quiet">{w.timesLeft(hidden.timesLeft)}</p>}
    </>
  );
}

type LeftProps = Pick<PreparingProps, "route"> & { readonly hidden: Hidden };

function Left({ hidden, route }: LeftProps) {
  const w = words();
  const { left, leftCount } = hidden;
  return (
    <p>
      {w.left}{" "}
      {left.map(({ record, field }, index) => (
        <span key={index}>
          {index > 0 && ", "}
          <b>
            <bdi>{valueOf(record, field).slice(0, 60)}</bdi>
          </b>{" "}
          <span class="quiet">{w.leftIn(text.value.fields[field])}</span>
        </span>
      ))}
      {leftCount > left.length && ` ${w.leftMore(leftCount - left.length)}`}.{" "}
      {leftCount === left.length && (
        <LeaveOut route={route} records={left.map(({ record }) => record)} />
      )}
    </p>
  );
}
