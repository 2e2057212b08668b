// Units in the names of columns hide no name, and a mapping that is begun reads them.
import { expect, test } from "vitest";
import { suggestMapping } from "../src/index.ts";
import { rateAll } from "../src/formats/mapping/field-names.ts";
import { writeLines } from "./support/archives.ts";
import { bring } from "./support/bring-doubts.ts";

test.each([
  ["Talk Time", ["Talk Time (ms)", "Talk Time [sec]", "Talk (s)", "talk_time_ms", "TalkTimeSecs"]],
  ["Talk Duration", ["Gesprächsdauer in Sekunden", "Talk Duration (h:mm:ss)", "Talk, min"]],
  ["Hold Time", ["Hold Time (ms)", "Hold Time in ms", "Hold (s)", "Queue (s)", "Wartezeit (Sek.)"]],
  ["Duration", ["Duration (min)", "Dauer in Sekunden", "Durée (s)", "Call Length [Seconds]"]],
  ["End Time", ["End Time (hh:mm)", "end_time_ms"]],
])("a name is rated as %s with its unit: %j", (name, others) => {
  for (const other of others) expect([other, rateAll(other)]).toEqual([other, rateAll(name)]);
});

test.each(["(ms)", "(s)", "[sec]", "in Sekunden", "/ s"])(
  "a column of another duration stops, whose name ends with %s",
  async (unit) => {
    const lines = [`ID,Talk Time ${unit},Hold Time ${unit}`, "1,65,9", "2,130,12", "3,60,70"];
    expect(
      await bring({ fields: { call_id: "{ID}", talk_time: `{Hold Time ${unit}}` } }, lines),
    ).toEqual([`stop columns: talk_time: {Hold Time ${unit}}, and there is {Talk Time ${unit}}`]);
  },
);

test.each([
  ["Talk Time (ms)", "ms", "milliseconds"],
  ["talkTimeMs", "ms", "milliseconds"],
  ["Talk Time (s)", undefined, "seconds"],
  ["Gesprächsdauer in Minuten", "min", "minutes"],
  ["Talk Time [h]", "h", "hours"],
])("what is begun reads %s in its unit", async (name, unit, words) => {
  const path = await writeLines("log.csv", [`ID,${name}`, "1,900", "2,1200"]);
  const { fields, guess } = await suggestMapping(path);
  expect(fields["talk_time"]).toEqual(
    unit === undefined ? `{${name}}` : { from: `{${name}}`, unit },
  );
  expect(guess).toContainEqual(expect.stringContaining(`900, 1200: are these ${words}`));
});

test("clock times are of no unit, whatever the name says", async () => {
  const path = await writeLines("log.csv", ["ID,Talk Time (min)", "1,0:12:30", "2,0:01:05"]);
  const { fields, guess } = await suggestMapping(path);
  expect(fields["talk_time"]).toBe("{Talk Time (min)}");
  expect(guess).toContainEqual(expect.stringContaining("0:12:30, 0:01:05: are these seconds"));
});
