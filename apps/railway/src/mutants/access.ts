// Mutants of ownership.
import { type Drift, isAt, type Reply } from "@call-media/test-setup/model-service";
import { type Railway, toId } from "../railway.ts";
import { as, asAnybody, BOOKING, BOOKINGS, CANCEL, PASSENGER, PASSENGERS } from "./edits.ts";

const open = `/bookings/${toId("bk", 1)}`;
const ofBen = `/bookings/${toId("bk", 35)}`;

export const access: readonly Drift<Railway>[] = [
  {
    id: "passengers-of-others",
    says: "the names of another's passengers can be read, because the nested list does not ask whose booking it is",
    reveal: [`ben GET ${open}/passengers`],
    wrap: asAnybody(PASSENGERS),
  },
  {
    id: "booking-of-others-by-head",
    says: "HEAD tells that another's booking exists, and its ETag tells when it changes",
    reveal: [`ben HEAD ${open}`],
    wrap: asAnybody(BOOKING, ({ isHead }) => isHead),
  },
  {
    id: "cancelled-by-others",
    says: "anybody who knows its id can cancel another's booking",
    reveal: [`ben POST ${open}/cancellation`],
    wrap: asAnybody(CANCEL),
  },
  {
    id: "passenger-by-id-alone",
    says: "a passenger of another's booking can be read below one's own, because only the passenger's id is looked up",
    reveal: [`ben GET ${ofBen}/passengers/${toId("ps", 1)}`],
    wrap:
      (service, { bookings }) =>
      (request) => {
        const reply = service(request);
        const [, , , , passengerId = ""] = request.path.split("/");
        const booking = [...bookings.values()].find(({ passengers }) =>
          passengers.has(passengerId),
        );
        if (!isAt(PASSENGER, request) || reply.status !== 404 || booking === undefined)
          return reply;
        const path = `/bookings/${booking.id}/passengers/${passengerId}`;
        return service(as(booking.owner, { ...request, path }));
      },
  },
  {
    id: "key-reads-bookings",
    says: "the read-only key, which many programs have, reads a user's bookings",
    reveal: ["key GET /bookings", `key GET ${open}`],
    wrap: (service) => (request) => {
      const reply = service(request);
      const isRead = isAt([BOOKINGS, BOOKING], request) && "x-api-key" in request.headers;
      return isRead && reply.status === 401 ? service(as("ada", request)) : reply;
    },
  },
  {
    id: "bookings-cached-for-all",
    says: "the cache does not tell users apart, so one user sees the bookings of another",
    reveal: ["ada GET /bookings", "ben GET /bookings"],
    wrap: (service) => {
      const kept = new Map<string, Reply>();
      return (request) => {
        const reply = service(request);
        if (!isAt(BOOKINGS, request) || reply.status !== 200) return reply;
        const key = request.query.toString();
        kept.set(key, kept.get(key) ?? reply);
        return kept.get(key) ?? reply;
      };
    },
  },
];
