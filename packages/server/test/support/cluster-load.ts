// One client that asks the servers of a cluster in turn, several requests at a time, and keeps what became of each.
import { setTimeout as wait } from "node:timers/promises";
import { CALLS, type Cluster, RECORDINGS, type Server } from "./cluster.ts";

const DAYS = "pageIndex=0&startDate=2026-01-01&endDate=2026-12-31";
const LANES = 6;
const PAUSE_MS = 4;

// Ends what hangs, and judges no speed.
const HANG_MS = 60_000;

/** What became of a request; times are the cluster's ticks. */
export interface Reply {
  readonly server: Server;
  readonly operation: string;
  readonly askedAt: number;
  /** When its headers came, or nothing. */
  readonly answeredAt: number;
  /** 0 when the connection was lost before, or the request hung. */
  readonly status: number;
  readonly requestId: string;
  readonly retryAfter: string | null;
}

interface Asked {
  readonly operation: string;
  readonly path: string;
  readonly range?: string;
  readonly json?: object;
  /** The client goes away after the first bytes. */
  readonly isAbandoned?: boolean;
}

// Their number and that of the servers have no common divisor: every server gets all of them.
const OPERATIONS: readonly ((turn: number) => Asked)[] = [
  () => ({ operation: "sign-in", path: "/Token" }),
  (turn) => ({
    operation: "search",
    path: `/metadata/search?${DAYS}`,
    json: { agent: `agent ${turn % 7}` },
  }),
  (turn) => ({ operation: "look-up", path: `/metadata/by-call-id/call-${turn % CALLS}` }),
  (turn) => ({ operation: "recording", path: toStream(turn) }),
  (turn) => ({ operation: "look-up", path: `/metadata/by-reference/ref-${turn % CALLS}` }),
  (turn) => ({ operation: "recording", path: toStream(turn), range: "bytes=1000-90000" }),
  (turn) => ({ operation: "recording", path: toStream(turn), isAbandoned: true }),
];

export const KINDS = ["sign-in", "search", "look-up", "recording"] as const;

const toStream = (turn: number) => `/recording/stream-by-call-id/call-${turn % RECORDINGS}`;

export interface Load {
  readonly replies: readonly Reply[];
  /** When the requests were asked that have no answer yet. */
  readonly pending: ReadonlySet<number>;
  /** The newest token, of whichever server. */
  readonly token: () => string;
  /** Resolves when nothing is under way. */
  readonly stop: () => Promise<void>;
}

/** Servers that have been killed are left out, as a load balancer does. */
export async function startLoad(cluster: Cluster): Promise<Load> {
  const replies: Reply[] = [];
  const pending = new Set<number>();
  const { servers, tick, application } = cluster;
  let token = "";
  let turn = 0;
  const over = new AbortController();

  const ask = async (server: Server, { operation, path, ...asked }: Asked): Promise<void> => {
    const body = operation === "sign-in" ? application : asked.json;
    const askedAt = tick();
    pending.add(askedAt);
    const keep = (response?: Response) => {
      pending.delete(askedAt);
      replies.push({
        server,
        operation,
        askedAt,
        answeredAt: tick(),
        status: response?.status ?? 0,
        requestId: response?.headers.get("X-Request-Id") ?? "",
        retryAfter: response?.headers.get("Retry-After") ?? null,
      });
    };
    const response = await fetch(server.program.baseUrl + path, {
      headers: {
        ...(operation !== "sign-in" && { Authorization: `Bearer ${token}` }),
        ...(body !== undefined && { "Content-Type": "application/json" }),
        ...(asked.range !== undefined && { Range: asked.range }),
      },
      ...(body !== undefined && { method: "POST", body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(HANG_MS),
    }).catch(() => undefined);
    keep(response);
    if (response === undefined) return;
    if (asked.isAbandoned) return await abandon(response);
    // What is cut after its headers has been answered.
    const text = await response.text().catch(() => "");
    if (operation === "sign-in" && response.status === 200 && text !== "")
      ({ access_token: token } = JSON.parse(text) as { access_token: string }); // the contract
  };
  const work = async () => {
    while (!over.signal.aborted) {
      const alive = servers.filter(({ killedAt }) => killedAt === undefined);
      const server = alive[turn % alive.length];
      const toAsked = OPERATIONS[turn % OPERATIONS.length];
      turn += 1;
      if (server === undefined || toAsked === undefined) throw new Error("nobody is left to ask");
      await ask(server, toAsked(turn));
      await wait(PAUSE_MS);
    }
  };
  // The others need its token.
  const [first] = servers;
  if (first !== undefined) await ask(first, { operation: "sign-in", path: "/Token" });
  const lanes = Array.from({ length: LANES }, work);
  return {
    replies,
    pending,
    token: () => token,
    stop: async () => {
      over.abort();
      await Promise.all(lanes);
    },
  };
}

async function abandon({ body }: Response): Promise<void> {
  const reader = body?.getReader();
  try {
    await reader?.read();
    await reader?.cancel();
  } catch {
    // The server was killed first.
  }
}
