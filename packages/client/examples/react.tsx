// A call on a page, with React and TanStack Query.
import { createClient } from "@call-media/client";
import { createQueries } from "@call-media/client/query";
import { QueryClient, QueryClientProvider, useSuspenseQuery } from "@tanstack/react-query";
import { Suspense } from "react";
import { prerender } from "react-dom/static";

const credentials = { secretID: "...", secretKey: "..." };
const client = createClient({ baseUrl: "https://archive.example.com", credentials });

const queries = createQueries(client);

function Call({ call_id }: { call_id: string }) {
  const { data } = useSuspenseQuery(queries.getMetadataByCallId({ call_id }));
  return data.map((record) => <p key={record.datetime}>{record.agent_name}</p>);
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
