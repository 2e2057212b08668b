// A page with a call and its recordings. It knows its own back end alone, and no secret.
import { createClient, isCallMediaError, toRecordingNames } from "@call-media/client";
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
  const stream = `/archive/recording/stream-by-call-id/${encodeURIComponent(call_id)}`;
  // The recordings of all records of the call are counted. Times and names may repeat: keys are positions.
  const recordings = data.flatMap((call) => toRecordingNames(call.recordings));
  return (
    <>
      {data.map((call, index) => (
        <article key={index}>
          <h1>{call.agent_name}</h1>
          <time>{call.datetime}</time>
        </article>
      ))}
      {recordings.map((_, index) => (
        <audio key={index} controls src={`${stream}?part=${index + 1}`} />
      ))}
    </>
  );
}

const call_id = new URLSearchParams(location.search).get("call_id") ?? "";
const main = document.querySelector("main");
if (main)
  createRoot(main).render(
    <QueryClientProvider client={new QueryClient()}>
      <Call call_id={call_id} />
    </QueryClientProvider>,
  );
