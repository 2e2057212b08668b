// Mutants of ownership, and of a cache.
import { asAnybody, cached, toDrifts } from "@call-media/test-setup/model-service";
import { type Museum, toId } from "../museum.ts";
import { callers } from "../service.ts";
import { buy, CODE, EVENTS } from "./edits.ts";

const code = (ordinal: number) => `/tickets/${toId("ticket", ordinal)}/qr`;

export const access = toDrifts<Museum>({
  "code-of-others": [
    "whoever knows its id sees the code of another's ticket, and gets in with it",
    [buy, `bob GET ${code(1)}`],
    asAnybody(callers, CODE),
  ],
  "code-of-others-by-head": [
    "HEAD tells a caller that another's ticket exists, because only GET looks who asks",
    [buy, `bob HEAD ${code(1)}`],
    asAnybody(callers, CODE, ({ isHead }) => isHead),
  ],
  "code-same-for-all": [
    "every ticket has the code of the first, so one buyer gets in and the others do not",
    [buy, buy, `ann GET ${code(1)}`, `ann GET ${code(2)}`],
    cached(CODE, () => "one for all"),
  ],
  "list-never-fresh": [
    "a list that was read once stays as it was, whatever is changed",
    [
      "ann GET /special-events",
      `ann PATCH /special-events/${toId("event", 37)} {"name":"Renamed"}`,
      "ann GET /special-events",
    ],
    cached(EVENTS, ({ path, query }) => `${path}?${query.toString()}`),
  ],
});
