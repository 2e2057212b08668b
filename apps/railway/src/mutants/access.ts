// Mutants of ownership.
import { as, asAnybody, cached, insteadOf, toDrifts } from "@call-media/test-setup/model-service";
import { type Railway, toId } from "../railway.ts";
import { callers } from "../service.ts";
import { BOOKING, BOOKINGS, CANCEL, open, PASSENGER, PASSENGERS } from "./edits.ts";

const ofBen = `/bookings/${toId("bk", 35)}`;

export const access = toDrifts<Railway>({
  "passengers-of-others": [
    "the names of another's passengers can be read, because the nested list does not ask whose booking it is",
    `ben GET ${open}/passengers`,
    asAnybody(callers, PASSENGERS),
  ],
  "booking-of-others-by-head": [
    "HEAD tells that another's booking exists, and its ETag tells when it changes",
    `ben HEAD ${open}`,
    asAnybody(callers, BOOKING, ({ isHead }) => isHead),
  ],
  "cancelled-by-others": [
    "anybody who knows its id can cancel another's booking",
    `ben POST ${open}/cancellation`,
    asAnybody(callers, CANCEL),
  ],
  "passenger-by-id-alone": [
    "a passenger of another's booking can be read below one's own, because only the passenger's id is looked up",
    `ben GET ${ofBen}/passengers/${toId("ps", 1)}`,
    insteadOf<Railway>(404, PASSENGER, (request, service, { bookings }) => {
      const [, , , , id = ""] = request.path.split("/");
      const booking = [...bookings.values()].find(({ passengers }) => passengers.has(id));
      return (
        booking &&
        service(
          as(callers[booking.owner], {
            ...request,
            path: `/bookings/${booking.id}/passengers/${id}`,
          }),
        )
      );
    }),
  ],
  "key-reads-bookings": [
    "the read-only key, which many programs have, reads a user's bookings",
    ["key GET /bookings", `key GET ${open}`],
    insteadOf(401, [BOOKINGS, BOOKING], (request, service) =>
      "x-api-key" in request.headers ? service(as(callers["ada"], request)) : undefined,
    ),
  ],
  "bookings-cached-for-all": [
    "the cache does not tell users apart, so one user sees the bookings of another",
    ["ada GET /bookings", "ben GET /bookings"],
    cached(BOOKINGS, ({ query }) => query.toString()),
  ],
});
