// What a program does with a client, told step by step: a page runs it and finds no fault.
import { createClient, isCallMediaError, toDatetime } from "../../src/index.ts";
import { createOpenapiFetchClient } from "../../src/openapi-fetch/index.ts";
import { createValidator, type Drift } from "../../src/validate/index.ts";

/** What is known of the service at `baseUrl`: see `./world.ts`. */
export interface World {
  readonly baseUrl: string;
  readonly credentials: { readonly secretID: string; readonly secretKey: string };
  readonly search: { readonly startDate: string; readonly endDate: string };
  readonly calls: number;
  readonly recording: { readonly call_id: string; readonly bytes: number; readonly sha256: string };
}

/** A sentence for each thing that went otherwise than it should. */
export async function journey(world: World): Promise<string[]> {
  const faults: string[] = [];
  const expect = (what: string, found: unknown, wanted: unknown) => {
    const [seen, right] = [JSON.stringify(found), JSON.stringify(wanted)];
    if (seen !== right) faults.push(`${what}: ${seen}, not ${right}`);
  };
  for (const [name, step] of Object.entries(STEPS))
    await step(world, expect).catch((error: unknown) => faults.push(`${name}: ${String(error)}`));
  return faults;
}

type Expect = (what: string, found: unknown, wanted: unknown) => void;
type Step = (world: World, expect: Expect) => Promise<void>;

const open = ({ baseUrl, credentials }: World, more: object = {}) =>
  createClient({ baseUrl, credentials, allowSecretInBrowser: true, random: () => 0, ...more });

/** The class of the error that a call fails with. */
function nameOf(failure: Promise<unknown>): Promise<string> {
  return failure.then(
    () => "none",
    (error: unknown) => (isCallMediaError(error) ? error.name : String(error)),
  );
}

const STEPS: Readonly<Record<string, Step>> = {
  async "a search over pages, one of which fails at first"(world, expect) {
    const drifts: Drift[] = [];
    const validate = createValidator({ onDrift: (drift) => void drifts.push(drift) });
    const filter = { agent: "ANA" };
    const found = open(world, { validate }).calls.search({ ...world.search, filter });
    const ids = new Set<unknown>();
    for await (const { call_id: id, datetime } of found) {
      ids.add(id);
      expect("zoneKnown", toDatetime(datetime)?.zoneKnown, true);
    }
    expect("records", ids.size, world.calls);
    expect("drifts", drifts, []);
  },

  async "a download that breaks off"(world, expect) {
    const { call_id: id, bytes, sha256 } = world.recording;
    const { content, ...recording } = await open(world).recordings.bytes({ call_id: id });
    expect("bytes", content.length, bytes);
    expect("sha256", recording.sha256, sha256);
    expect("contentType", recording.contentType, "audio/wav");
  },

  async "errors that can be told apart"(world, expect) {
    const nobody = { ...world.credentials, secretKey: "wrong" };
    const failures = [
      open(world, { credentials: nobody }).GET("/flags/public"),
      open(world).recordings.bytes({ call_id: "no such call" }),
      open(world).GET("/users/basic-info", { params: { query: { status: "gone" as "all" } } }),
      open(world).GET("/flags/public", { signal: AbortSignal.abort() }),
      open({ ...world, baseUrl: `${world.baseUrl}/moved` }).GET("/flags/public"),
    ];
    expect("errors", await Promise.all(failures.map(nameOf)), [
      "AuthenticationError",
      "NotFoundError",
      "InvalidRequestError",
      "AbortError",
      "ProtocolError",
    ]);
  },

  async "openapi-fetch over the same transport"(world, expect) {
    const { baseUrl, credentials, recording } = world;
    const options = { baseUrl, credentials, allowSecretInBrowser: true };
    const client = createOpenapiFetchClient(options);
    const params = { path: { call_id: recording.call_id } };
    const found = await client.GET("/metadata/by-call-id/{call_id}", { params });
    expect("call", found.data?.data[0]?.call_id, recording.call_id);
    const query = { pageIndex: -1, ...world.search };
    const refused = await client.POST("/metadata/search", { params: { query }, body: {} });
    expect("refusal", [refused.error?.isError, refused.response.status], [true, 400]);
    const path = "/recording/stream-by-call-id/{call_id}";
    const { data } = await client.GET(path, { params, parseAs: "blob" });
    expect("bytes", data?.size, recording.bytes);
  },

  async "one sign-in for a hundred calls, and a time-out"(world, expect) {
    let signIns = 0;
    const counting = (url: string, init: RequestInit) => {
      if (url.endsWith("/Token")) signIns += 1;
      return fetch(url, init);
    };
    const client = open(world, { fetch: counting });
    await Promise.all(Array.from({ length: 100 }, () => client.GET("/flags/public")));
    expect("sign-ins", signIns, 1);
    const hanging = (_url: string, { signal }: RequestInit) =>
      new Promise<never>((_resolve, reject) => {
        signal?.addEventListener("abort", () => reject(signal.reason as Error));
      });
    const late = open(world, { fetch: hanging, tryTimeoutMs: 20, maxRetries: 0 });
    expect("time-out", await nameOf(late.GET("/flags/public")), "TimeoutError");
  },
};
