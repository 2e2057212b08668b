// Durations in another unit than seconds: no call takes hours as a rule.
import { createTally, type Doubt, type Probe, toValueText } from "./doubt.ts";

// Longer than real calls, and shorter than any call in milliseconds.
const LONG_SECONDS = 4 * 60 * 60;
const DAY_SECONDS = 24 * 60 * 60;
// A few calls say little of the rule, unless they are longer than any call.
const MANY = 10;

const NEARLY_ALL = 0.9;

const UNIT = 'A mapping says the unit of durations, as "unit": "ms"';

const toNone = (field: string) =>
  ({
    name: "durations",
    effect: "warn",
    text: `${field} is 0, as in nearly every call`,
    advice: "Look whether another column or member has the duration",
  }) as const;

export const createDurationProbes = (): Probe[] =>
  (["talk_time", "handle_time"] as const).map(createDurationProbe);

function createDurationProbe(field: "talk_time" | "handle_time"): Probe {
  const long = createTally();
  const days = createTally();
  const none = createTally();
  let [known, mapped] = [0, 0];
  return {
    see: (call) => {
      const seconds = Number(call.entry[field] ?? Number.NaN);
      if (!Number.isSafeInteger(seconds)) return;
      known += 1;
      if (call.isMapped) mapped += 1;
      if (seconds > LONG_SECONDS) long.add(call, toValueText(field, seconds));
      if (seconds === 0 && call.isMapped) none.add(call, toValueText(field, seconds));
      if (seconds > DAY_SECONDS) days.add(call, toValueText(field, seconds));
    },
    judge: (): Doubt[] => {
      const isMany = mapped >= MANY || days.count() * 2 > known;
      const text = `${field} is more than four hours, and so is the median: is it in seconds?`;
      const effect = mapped > 0 && isMany ? "stop" : "warn";
      if (long.count() * 2 > known)
        return long.toDoubts({ name: "durations", effect, text, advice: UNIT });
      if (none.count() >= MANY && none.count() > NEARLY_ALL * known)
        return none.toDoubts(toNone(field));
      const textOfDay = `${field} is more than a day: is it in seconds?`;
      return days.toDoubts({ name: "durations", effect: "warn", text: textOfDay, advice: UNIT });
    },
  };
}
