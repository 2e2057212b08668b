// Which tenths of a second a place mutes.
import { expect, test } from "vitest";
import { toTenths } from "../src/mute/places.ts";

test("tenths of a second are rounded outwards, and none begins before the recording", () => {
  expect(toTenths({ from: -1, to: 5.01 })).toEqual({ from: 0, to: 5.1 });
  expect(toTenths({ from: 3.29, to: 3.3 })).toEqual({ from: 3.2, to: 3.3 });
});
