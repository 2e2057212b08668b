// Mutants of ownership, and of a cache.
import {
  type Drift,
  isAt,
  type Reply,
  type Request,
  type Wrap,
} from "@call-media/test-setup/model-service";
import { type Museum, toId } from "../museum.ts";
import { callers } from "../service.ts";
import { CODE, EVENTS } from "./edits.ts";

const buy = 'ann POST /tickets {"ticketType":"general","ticketDate":"2026-11-07"}';
const code = (ordinal: number) => `/tickets/${toId("ticket", ordinal)}/qr`;

export const access: readonly Drift<Museum>[] = [
  {
    id: "code-of-others",
    says: "whoever knows its id sees the code of another's ticket, and gets in with it",
    reveal: [buy, `bob GET ${code(1)}`],
    wrap: asAnybody(() => true),
  },
  {
    id: "code-of-others-by-head",
    says: "HEAD tells a caller that another's ticket exists, because only GET looks who asks",
    reveal: [buy, `bob HEAD ${code(1)}`],
    wrap: asAnybody(({ isHead }) => isHead),
  },
  {
    id: "code-same-for-all",
    says: "every ticket has the code of the first, so one buyer gets in and the others do not",
    reveal: [buy, buy, `ann GET ${code(1)}`, `ann GET ${code(2)}`],
    wrap: cached(CODE, () => "one for all"),
  },
  {
    id: "list-never-fresh",
    says: "a list that was read once stays as it was, whatever is changed",
    reveal: [
      "ann GET /special-events",
      `ann PATCH /special-events/${toId("event", 37)} {"name":"Renamed"}`,
      "ann GET /special-events",
    ],
    wrap: cached(EVENTS, ({ path, query }) => `${path}?${query.toString()}`),
  },
];

/** Returns ticket codes hidden from the caller as their owner sees them. */
function asAnybody(fits: (request: Request) => boolean): Wrap<Museum> {
  return (service) => (request) => {
    const reply = service(request);
    if (!isAt(CODE, request) || !fits(request) || reply.status !== 404) return reply;
    const others = Object.values(callers).map(({ Authorization: authorization = "" }) =>
      service({ ...request, headers: { ...request.headers, authorization } }),
    );
    return others.find(({ status }) => status === 200) ?? reply;
  };
}

/** Keeps the first success for a key forever. */
function cached(where: string, toKey: (request: Request) => string): Wrap<Museum> {
  return (service) => {
    const kept = new Map<string, Reply>();
    return (request) => {
      const reply = service(request);
      if (!isAt(where, request) || reply.status !== 200) return reply;
      const key = toKey(request);
      kept.set(key, kept.get(key) ?? reply);
      return kept.get(key) ?? reply;
    };
  };
}
