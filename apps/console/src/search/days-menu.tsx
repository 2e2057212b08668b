// The usual periods, and a range of days.
import { isDay } from "@call-media/client";
import type { TargetedSubmitEvent } from "preact";
import { replace } from "../address.ts";
import { PRESETS, toDayRange } from "../days.ts";
import type { SearchRoute } from "../route.ts";
import { text } from "../text/text.ts";
import { archiveZone, today } from "../time.ts";
import { readForm } from "../ui/form.ts";
import { useFocus } from "../ui/focus.ts";
import { closePopover } from "../ui/popover.tsx";
import { nameDays } from "./labels.ts";

export function DaysMenu({ route }: { readonly route: SearchRoute }) {
  const t = text.value;
  useFocus();
  const choose = (days: SearchRoute["days"]) => {
    closePopover("days");
    replace({ ...route, days });
  };
  return (
    <>
      <div class="presets">
        {PRESETS.map((days) => (
          <button
            key={nameDays(days)}
            type="button"
            class="button quiet"
            aria-pressed={JSON.stringify(days) === JSON.stringify(route.days)}
            onClick={() => choose(days)}
          >
            {nameDays(days)}
          </button>
        ))}
      </div>
      <hr />
      <DayRangeForm route={route} onChoose={choose} />
      <p class="quiet">
        {archiveZone.value === undefined ? t.zoneUnknown : t.inZone(archiveZone.value)}
      </p>
    </>
  );
}

interface DayRangeFormProps {
  readonly route: SearchRoute;
  readonly onChoose: (days: SearchRoute["days"]) => void;
}

function DayRangeForm({ route, onChoose }: DayRangeFormProps) {
  const t = text.value;
  const { startDate, endDate } = toDayRange(
    route.days === "all" ? { last: 365 } : route.days,
    today.value,
  );
  const submit = (event: TargetedSubmitEvent<HTMLFormElement>) => {
    const of = readForm(event);
    const [from, to] = [of("from"), of("to")];
    if (!isDay(from) || !isDay(to)) return;
    onChoose(from <= to ? { from, to } : { from: to, to: from });
  };
  return (
    <form key={startDate + endDate} class="days" onSubmit={submit}>
      <DayBox name="from" label={t.fromDay} value={startDate} />
      <DayBox name="to" label={t.toDay} value={endDate} />
      <button type="submit" class="button">
        {t.apply}
      </button>
    </form>
  );
}

interface DayBoxProps {
  readonly name: string;
  readonly label: string;
  readonly value: string;
}

function DayBox({ name, label, value }: DayBoxProps) {
  return (
    <label>
      <span>{label}</span>
      <input
        type="date"
        name={name}
        required
        min="0001-01-01"
        max="9999-12-30"
        defaultValue={value}
      />
    </label>
  );
}
