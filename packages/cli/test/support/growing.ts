// A service in memory, over HTTP, whose archive grows while it is asked.
import { createFakeService, type FakeCall, type FakeService } from "@call-media/testing";
import { serveFake } from "@call-media/testing/http";

export interface Growing extends AsyncDisposable {
  /** Address and key, as the program takes them. */
  readonly variables: NodeJS.ProcessEnv;
  /** As it is now. */
  readonly service: FakeService;
  /** How many requests came so far. */
  readonly requests: number;
  /** When each came that was answered, and with what. */
  readonly answers: readonly Answer[];
  readonly add: (...calls: readonly FakeCall[]) => void;
  /** It has these from now on, and no others. */
  readonly replace: (calls: readonly FakeCall[]) => void;
}

interface Answer {
  readonly cameMs: number;
  readonly status: number;
}

interface Manner {
  /** Whether it says how many calls a search has. */
  readonly isCounted?: boolean;
  readonly order?: "newest-first" | "oldest-first";
}

export async function serveGrowing(
  calls: readonly FakeCall[],
  { isCounted = true, order = "newest-first" }: Manner = {},
): Promise<Growing> {
  let all = [...calls];
  const profile = { recordCount: isCounted ? "all" : "page", order } as const;
  const create = () => createFakeService({ calls: all, profile });
  let service = create();
  let requests = 0;
  const answers: Answer[] = [];
  const served = await serveFake({
    ...service,
    fetch: async (...request) => {
      requests++;
      const cameMs = performance.now();
      const response = await service.fetch(...request);
      answers.push({ cameMs, status: response.status });
      if (!isCounted) response.headers.delete("Content-Range");
      return response;
    },
  });
  return {
    variables: { CALL_MEDIA_BASE_URL: served.baseUrl, CALL_MEDIA_API_KEY: service.apiKey },
    get service() {
      return service;
    },
    get requests() {
      return requests;
    },
    answers,
    add: (...more) => {
      all.push(...more);
      service = create();
    },
    replace: (others) => {
      all = [...others];
      service = create();
    },
    [Symbol.asyncDispose]: () => served.close(),
  };
}
