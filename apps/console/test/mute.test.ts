// Which tenths of a second a place mutes, and which places are not added.
import { expect, test } from "vitest";
import { mutedPlaces } from "../src/mute/muted-places.ts";
import { addSpan, isMuted, toTenths } from "../src/mute/places.ts";

test("tenths of a second are rounded outwards, and none begins before the recording", () => {
  expect(toTenths({ from: -1, to: 5.01 })).toEqual({ from: 0, to: 5.1 });
  expect(toTenths({ from: 3.29, to: 3.3 })).toEqual({ from: 3.2, to: 3.3 });
});

test("a place that ends behind the recording is shown to its end", () => {
  expect(addSpan({ call_id: "1", part: 1, from: 18, to: 48 }, 18.8284)).toBe(true);
  expect(mutedPlaces.value).toMatchObject([{ span: { from: 18, to: 18.828 } }]);
  const proposed = { call_id: "1", part: 1, from: 18, to: 48 };
  expect(isMuted(proposed)).toBe(true);
  expect(
    [{ part: 2 }, { call_id: "2" }, { from: 17 }].map((other) =>
      isMuted({ ...proposed, ...other }),
    ),
  ).toEqual([false, false, false]);
  mutedPlaces.value = [];
});

test.each([
  { from: 146, to: 18.828 },
  { from: 3, to: 3 },
  { from: -1, to: 3 },
  { from: 18.9, to: 19 },
  { from: Number.NaN, to: 3 },
])("not added to a recording of 18.828 seconds: %o", (span) => {
  const [call_id, part] = ["1", 1];
  expect(addSpan({ call_id, part, ...span }, 18.828)).toBe(false);
  expect(mutedPlaces.value).toEqual([]);
});
