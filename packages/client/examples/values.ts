// Datetimes and durations as programs count with them.
import { toDatetime, toSeconds } from "@call-media/client";

toDatetime("2026-03-01T09:30:00+02:00"); // { raw, instant: Date, zoneKnown: true }
toDatetime("2026-03-01T09:30:00"); // { raw, instant: undefined, zoneKnown: false }
toDatetime("2026-03-01T09:30:00", { timeZone: "Europe/Berlin" }); // instant: Date
toSeconds("95"); // 95

console.log(toDatetime("2026-03-01T09:30:00+02:00")?.instant?.toISOString(), toSeconds("95"));
