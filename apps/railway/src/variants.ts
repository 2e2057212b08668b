// Other services that keep the railway's document, which a checker must not report.
import {
  type Drift,
  isAt,
  listVariants,
  replies,
  when,
} from "@call-media/test-setup/model-service";
import { BOOKINGS, LINE, STATION, STATIONS } from "./mutants/edits.ts";
import { createBooking, type Railway } from "./railway.ts";

const LIST = "ada GET /bookings";

export const variants: readonly Drift<Railway>[] = [
  ...listVariants({
    list: LIST,
    afterLast: "key GET /stations?page=99",
    head: "key HEAD /stations",
    routes: [STATIONS, BOOKINGS],
    isEmpty: ({ items }: { items: unknown[] }) => items.length === 0,
  }),
  {
    id: "bad-body-400",
    says: "a body that breaks its schema or a rule is 400, as the document allows",
    reveal: ["ada POST /bookings {}"],
    wrap: replies(
      "*",
      when(422, (reply) => ({
        ...reply,
        status: 400,
        body: reply.body.toString().replace('"status":422', '"status":400'),
      })),
    ),
  },
  {
    id: "weak-etags",
    says: "the ETags of stations and lines are weak, as of a proxy that compresses",
    reveal: ["key GET /stations/ASV"],
    wrap: replies([STATION, LINE], (reply) => {
      const { etag } = reply.headers;
      return etag === undefined
        ? reply
        : { ...reply, headers: { ...reply.headers, etag: `W/${etag}` } };
    }),
  },
  {
    id: "empty",
    says: "there are no bookings",
    reveal: [LIST],
    wrap: (service, { bookings }) => {
      bookings.clear();
      return service;
    },
  },
  {
    id: "growing",
    says: "the same user books on another device after each read of the list",
    reveal: [LIST, LIST],
    wrap: (service, railway) => (request) => {
      const reply = service(request);
      const [first] = railway.bookings.values();
      if (isAt(BOOKINGS, request) && first !== undefined)
        createBooking(railway, first.owner, {
          ...first,
          passengers: [...first.passengers.values()],
        });
      return reply;
    },
  },
];
