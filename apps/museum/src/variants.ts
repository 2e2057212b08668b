// Other services that keep the Museum document: a checker must not complain of them.
import { createHash } from "node:crypto";
import {
  addDays,
  type Drift,
  gzipped,
  isAt,
  jsonInOtherWords,
  replies,
  when,
  withCharset,
  withMoreHeaders,
  withoutEmptyPages,
  withoutHead,
} from "@call-media/test-setup/model-service";
import { createMuseum, type Museum, toId } from "./museum.ts";
import { EVENTS, LISTS } from "./mutants/edits.ts";

const LIST = "ann GET /special-events";

export const variants: readonly Drift<Museum>[] = [
  {
    id: "gzip",
    says: "bodies are compressed for callers that accept gzip",
    reveal: [LIST],
    wrap: gzipped,
  },
  {
    id: "json-in-other-words",
    says: "keys come in another order, with spaces, and characters are escaped",
    reveal: [LIST],
    wrap: jsonInOtherWords,
  },
  {
    id: "charset",
    says: "the media type of JSON has a charset and other letter case",
    reveal: [LIST],
    wrap: withCharset,
  },
  {
    id: "no-page-after-last",
    says: "a page after the last one is 404 and not an empty list",
    reveal: ["ann GET /museum-hours?page=99"],
    wrap: withoutEmptyPages(LISTS, (rows: unknown[]) => rows.length === 0),
  },
  {
    id: "no-head",
    says: "HEAD is 405",
    reveal: ["ann HEAD /museum-hours"],
    wrap: withoutHead,
  },
  {
    id: "more-headers",
    says: "there are headers that the document does not name",
    reveal: [LIST],
    wrap: withMoreHeaders,
  },
  {
    id: "validators",
    says: "successes have an ETag, and If-None-Match gets 304",
    reveal: [`ann GET /special-events/${toId("event", 1)}`],
    wrap: replies(
      "GET /special-events/{eventId}",
      when("success", (reply, { headers }) => {
        const etag = `"${createHash("sha256").update(reply.body).digest("hex").slice(0, 20)}"`;
        return headers["if-none-match"] === etag
          ? { status: 304, headers: { etag }, body: "" }
          : { ...reply, headers: { ...reply.headers, etag } };
      }),
    ),
  },
  {
    id: "empty",
    says: "there are no opening days and no events",
    reveal: [LIST],
    wrap: (service, { hours, events }) => {
      hours.length = 0;
      events.clear();
      return service;
    },
  },
  {
    id: "many-events",
    says: "there are twenty times as many events",
    reveal: [LIST],
    wrap: (service, { today, events, newId }) => {
      for (let seed = 2; seed <= 20; seed += 1)
        for (const event of createMuseum({ today, seed }).events.values()) {
          const eventId = newId("event");
          events.set(eventId, { ...event, eventId });
        }
      return service;
    },
  },
  {
    id: "growing",
    says: "somebody else adds an event after each read of the list",
    reveal: [LIST, LIST],
    wrap:
      (service, { today, events, newId }) =>
      (request) => {
        const reply = service(request);
        const [first] = events.values();
        const eventId = newId("event");
        if (isAt(EVENTS, request) && first !== undefined)
          events.set(eventId, { ...first, eventId, dates: [addDays(today, 1)] });
        return reply;
      },
  },
];
