// One call of the contract by the client, by the built-in fetch and by openapi-fetch.
import { createClient, createContractCalls } from "@call-media/client";
import { createOpenapiFetchClient } from "@call-media/client/openapi-fetch";
import type { paths } from "@call-media/api";
import createFetchClient from "openapi-fetch";

/** Asks for the records of a call and gives how many there are. */
export type Ask = () => Promise<number>;

const PATH = "/metadata/by-call-id/{call_id}";
const params = { path: { call_id: "300000004821507" } };
const apiKey = "a-key-of-some-length";

/** The same call by each, to a service on that port of this machine. */
export function createCallers(port: number) {
  const baseUrl = `http://127.0.0.1:${port}`;
  const url = `${baseUrl}${PATH.replace("{call_id}", params.path.call_id)}`;
  const headers = { Authorization: `Bearer ${apiKey}` };
  const client = createClient({ baseUrl, apiKey });
  const lean = createContractCalls({ baseUrl, apiKey });
  const typed = createOpenapiFetchClient({ baseUrl, apiKey });
  const generated = createFetchClient<paths>({ baseUrl, headers });
  const count = (envelope: { readonly data: readonly unknown[] } | undefined) =>
    envelope?.data.length ?? 0;
  return {
    fetch: async () => {
      const response = await fetch(url, { headers });
      if (!response.ok) throw new Error(`status ${response.status}`);
      return count((await response.json()) as { data: unknown[] }); // the contract's form
    },
    client: async () => count((await client.GET(PATH, { params })).data),
    createContractCalls: async () => count((await lean.GET(PATH, { params })).data),
    createOpenapiFetchClient: async () => count((await typed.GET(PATH, { params })).data),
    "openapi-fetch": async () => count((await generated.GET(PATH, { params })).data),
  } satisfies Readonly<Record<string, Ask>>;
}
