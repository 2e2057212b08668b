// A call on a page, with React and TanStack Query.
import { createClient } from "@call-media/client";
import {
  QueryClient,
  QueryClientProvider,
  queryOptions,
  useSuspenseQuery,
} from "@tanstack/react-query";
import { Suspense } from "react";
import { prerender } from "react-dom/static";

const credentials = { secretID: "...", secretKey: "..." };
const client = createClient({ baseUrl: "https://archive.example.com", credentials });

const callById = (call_id: string) =>
  queryOptions({
    queryKey: ["getMetadataByCallId", call_id],
    queryFn: async ({ signal }) => {
      const params = { path: { call_id } };
      const { data } = await client.GET("/metadata/by-call-id/{call_id}", { params, signal });
      return data.data;
    },
    retry: false, // the client has tried again already
  });

function Call({ call_id }: { call_id: string }) {
  const { data } = useSuspenseQuery(callById(call_id));
  return data.map((record) => <p key={record.ref_id}>{record.agent_name}</p>);
}

const page = (
  <QueryClientProvider client={new QueryClient()}>
    <Suspense>
      <Call call_id="300000004821507" />
    </Suspense>
  </QueryClientProvider>
);
const { prelude } = await prerender(page);
console.log(await new Response(prelude).text());
