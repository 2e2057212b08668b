// Drifts written together with the rules that find them. They prove those rules and do not count in the figures.
import { body, type Drift, json, replies, when } from "@call-media/test-setup/model-service";
import { type Railway, toId } from "./railway.ts";

interface Known extends Drift<Railway> {
  /** The clause that finds it. */
  readonly clause: string;
}

const STATION = "GET /stations/{code}";

export const knownMutants: readonly Known[] = [
  {
    id: "linked-code-of-old",
    clause: "links.leads",
    says: "a station shows the code of the old timetable, under which its departures are not found",
    reveal: ["key GET /stations/ALP"],
    wrap: replies(
      STATION,
      body((value) => ({ ...Object(value), code: "ZZZ" })),
    ),
  },
];

export const knownVariants: readonly Drift<Railway>[] = [
  {
    id: "linked-payment-refused",
    says: "a payment can be read by the accounts office alone, so that the link from a booking leads to 403",
    reveal: [`ada GET /bookings/${toId("bk", 2)}/payment`],
    wrap: replies(
      "GET /bookings/{bookingId}/payment",
      when("success", () =>
        json(
          403,
          { title: "Forbidden", status: 403 },
          { "content-type": "application/problem+json" },
        ),
      ),
    ),
  },
];
