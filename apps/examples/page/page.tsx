// A page with a call and its recordings. It knows its own back end alone, and no secret.
import { type CallRecord, createClient, isCallMediaError } from "@call-media/client";
import { createQueries } from "@call-media/client/query";
import { QueryClient, QueryClientProvider, useQuery } from "@tanstack/react-query";
import { createRoot } from "react-dom/client";

const client = createClient({ baseUrl: "/archive", credentials: "same-origin" });
const queries = createQueries(client);

function Call({ call_id }: { call_id: string }) {
  const { data, error } = useQuery(queries.getMetadataByCallId({ call_id }));
  if (isCallMediaError(error)) return <p role="alert">{error.message}</p>;
  if (data === undefined) return <p>Loading ...</p>;
  if (data.length === 0) return <p role="alert">There is no such call</p>;
  // A call that was transferred has several records. Times and names may repeat: keys are positions.
  return data.map((record, index) => (
    <article key={index}>
      <h1>{record.agent_name}</h1>
      <time>{record.datetime}</time>
      <Recordings record={record} />
    </article>
  ));
}

/** The service counts the recordings of all records of a call: which ones are whose has to be found. */
function Recordings({ record }: { record: CallRecord }) {
  const { data, error } = useQuery({
    queryKey: ["recordings", record],
    queryFn: () => client.recordings.of(record),
  });
  if (isCallMediaError(error)) return <p role="alert">{error.message}</p>;
  if (data === undefined) return <p>Loading ...</p>;
  return data.map(({ number, wanted: { call_id, ref_id = "", part = 1 } }) => {
    const of =
      call_id === undefined
        ? `reference/${encodeURIComponent(ref_id)}`
        : `call-id/${encodeURIComponent(call_id)}`;
    const src = `/archive/recording/stream-by-${of}?part=${part}`;
    return <audio key={number} controls src={src} />;
  });
}

const call_id = new URLSearchParams(location.search).get("call_id") ?? "";
const main = document.querySelector("main");
if (main)
  createRoot(main).render(
    <QueryClientProvider client={new QueryClient()}>
      <Call call_id={call_id} />
    </QueryClientProvider>,
  );
