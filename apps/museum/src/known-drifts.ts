// Drifts written together with the rules that find them. They prove those rules and do not count in the figures.
import {
  type Drift,
  doneThough,
  hears,
  type Reply,
  replies,
  type Request,
  withHeaders,
  type Wrap,
} from "@call-media/test-setup/model-service";
import type { Museum } from "./museum.ts";
import { BUY, CHANGE, CREATE, event } from "./mutants/edits.ts";

const BODIES = [CREATE, CHANGE, BUY];
const FAIR =
  '{"name":"Fair","location":"Hall","eventDescription":"Books","dates":["2031-11-07"],"price":3}';

interface Known extends Drift<Museum> {
  /** The clause that finds it. */
  readonly clause: string;
  /** Only recommended by the clause: found in a strict check. */
  readonly isStrict?: true;
}

const asJson = (request: Request): Request => ({
  ...request,
  headers: { ...request.headers, "content-type": "application/json" },
});

export const knownMutants: readonly Known[] = [
  {
    id: "credentials-in-problem",
    clause: "answer.secrets",
    says: "a problem has the request's headers in its detail, so logs of clients keep passwords",
    reveal: ["ann GET /special-events?limit=x"],
    wrap: replies("*", (reply, { headers }) =>
      reply.status >= 400 ? withDetail(reply, `authorization: ${headers["authorization"]}`) : reply,
    ),
  },
  {
    id: "any-media-type",
    clause: "http.media-type",
    isStrict: true,
    says: "a body is read as JSON whatever it says it is, so other sites' forms can send it",
    reveal: [`ann POST /special-events Content-Type=text%2Fplain ${FAIR}`],
    wrap: hears(BODIES, asJson),
  },
  {
    id: "refused-but-created",
    clause: "input.unchanged",
    isStrict: true,
    says: "an event that is refused is kept all the same, as a draft that everybody sees",
    reveal: ['ann POST /special-events {"name":1}', "ann GET /special-events?startDate=2031-11-07"],
    wrap: doneThough(400, CREATE, (request, service) =>
      service({ ...asJson(request), body: FAIR }),
    ),
  },
];

export const knownVariants: readonly Drift<Museum>[] = [
  {
    id: "user-in-header",
    says: "responses name the caller, which is no secret",
    reveal: ["ann GET /special-events"],
    wrap: replies("*", (reply, request, service) => {
      const [, encoded = ""] = (request.headers["authorization"] ?? "").split(" ");
      const [user = ""] = Buffer.from(encoded, "base64").toString().split(":");
      return withHeaders({ "x-user": user })(reply, request, service);
    }),
  },
  {
    id: "media-type-415",
    says: "a body of another type is 415, as RFC 9110 has it, and not 400",
    reveal: [`ann POST /special-events Content-Type=text%2Fplain ${FAIR}`],
    wrap: replies(BODIES, (reply, { headers }) =>
      reply.status === 400 && !/json/i.test(headers["content-type"] ?? "")
        ? { ...reply, status: 415, body: reply.body.toString().replace("400", "415") }
        : reply,
    ),
  },
  {
    id: "refusals-counted",
    says: "the service counts refused changes, and tells how many there were",
    reveal: [`ann PATCH ${event} {"price":"x"}`],
    wrap: countRefusals(),
  },
];

function withDetail(reply: Reply, detail: string): Reply {
  try {
    return {
      ...reply,
      body: JSON.stringify({ ...(JSON.parse(reply.body.toString()) as object), detail }),
    };
  } catch {
    return reply; // a body that is not JSON has no detail
  }
}

function countRefusals(): Wrap {
  let refused = 0;
  return replies("*", (reply, request, service) => {
    if (reply.status >= 400) refused += 1;
    return withHeaders({ "x-refused": String(refused) })(reply, request, service);
  });
}
