// Other services that keep the Museum document, which a checker must not report.
import { createHash } from "node:crypto";
import {
  addDays,
  type Drift,
  isAt,
  listVariants,
  replies,
  toDrifts,
  when,
} from "@call-media/test-setup/model-service";
import { createMuseum, type Museum } from "./museum.ts";
import { event, EVENT, EVENTS, LISTS } from "./mutants/edits.ts";

const LIST = "ann GET /special-events";

export const variants: readonly Drift<Museum>[] = [
  ...listVariants({
    list: LIST,
    afterLast: "ann GET /museum-hours?page=99",
    head: "ann HEAD /museum-hours",
    routes: LISTS,
    isEmpty: (rows: unknown[]) => rows.length === 0,
  }),
  ...toDrifts<Museum>({
    validators: [
      "successes have an ETag, and If-None-Match gets 304",
      [`ann GET ${event}`],
      replies(
        EVENT,
        when("success", (reply, { headers }) => {
          const etag = `"${createHash("sha256").update(reply.body).digest("hex").slice(0, 20)}"`;
          return headers["if-none-match"] === etag
            ? { status: 304, headers: { etag }, body: "" }
            : { ...reply, headers: { ...reply.headers, etag } };
        }),
      ),
    ],
    empty: [
      "there are no opening days and no events",
      [LIST],
      (service, { hours, events }) => {
        hours.length = 0;
        events.clear();
        return service;
      },
    ],
    "many-events": [
      "there are twenty times as many events",
      [LIST],
      (service, { today, events, newId }) => {
        for (let seed = 2; seed <= 20; seed += 1)
          for (const one of createMuseum({ today, seed }).events.values()) {
            const eventId = newId("event");
            events.set(eventId, { ...one, eventId });
          }
        return service;
      },
    ],
    growing: [
      "somebody else adds an event after each read of the list",
      [LIST, LIST],
      (service, { today, events, newId }) =>
        (request) => {
          const reply = service(request);
          const [first] = events.values();
          const eventId = newId("event");
          if (isAt(EVENTS, request) && first !== undefined)
            events.set(eventId, { ...first, eventId, dates: [addDays(today, 1)] });
          return reply;
        },
    ],
  }),
];
