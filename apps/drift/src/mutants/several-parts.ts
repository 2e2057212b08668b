// Calls with several recordings, of which one is given out for another.
import { header, when, withHeaders } from "../edits/answers.ts";
import { field, json, type JsonObject, parseSuccess, toText } from "../edits/json.ts";
import { queryOf, withQuery } from "../edits/requests.ts";
import type { Answer, Mutate, ProxyRequest, Upstream } from "../exchange.ts";
import { BASE64, METADATA, type Mutant, STREAMS } from "./mutant.ts";

/** The answer with the first recording to a request for another one. */
async function findFirst(request: ProxyRequest, { ask }: Upstream): Promise<Answer | undefined> {
  const part = queryOf(request, "part");
  return part === "" || part === "1" ? undefined : ask(withQuery(request, { part: "1" }));
}

/** A header of the first recording, whichever part is asked for. */
const headerOfFirst = (name: string): Mutate =>
  when([200, 206], async (answer, request, upstream) => {
    const first = await findFirst(request, upstream);
    return first === undefined ? answer : withHeaders(answer, { [name]: first.headers[name] });
  });

export const severalParts: readonly Mutant[] = [
  {
    id: "recordings-with-commas",
    class: "value",
    operation: METADATA,
    contract: "decision",
    says: "the names in recordings have commas between them",
    mutate: field("recordings", (value) => toText(value).replaceAll("; ", ", ")),
  },
  {
    id: "recordings-first-alone",
    class: "value",
    operation: METADATA,
    contract: "decision",
    says: "recordings names the first recording alone",
    mutate: field("recordings", (value) => toText(value).replace(/; .*/, "")),
  },
  {
    id: "filename-of-first-part",
    class: "base64",
    operation: BASE64,
    contract: "decision",
    says: "filename is that of the first recording whatever part says",
    mutate: async (answer, request, upstream) => {
      const first = answer.status === 200 ? await findFirst(request, upstream) : undefined;
      if (first === undefined) return answer;
      const { filename = null } = (parseSuccess(first)?.data ?? {}) as JsonObject; // one recording
      const edit = json((whole) => ({
        ...whole,
        data: { ...(whole.data as JsonObject), filename },
      })); // one recording
      return edit(answer, request, upstream);
    },
  },
  {
    id: "disposition-of-first-part",
    class: "header",
    operation: STREAMS,
    contract: "decision",
    says: "Content-Disposition names the first recording whatever part says",
    mutate: headerOfFirst("content-disposition"),
  },
  {
    id: "owner-of-another-call",
    class: "header",
    operation: [...BASE64, ...STREAMS],
    contract: "decision",
    says: "Recording-Of names a record that the call does not have",
    mutate: header("recording-of", (value) => value.replace(/datetime=%"\d/, 'datetime=%"3')),
  },
  {
    id: "sound-of-part",
    class: "header",
    operation: STREAMS,
    contract: "decision",
    says: "Recording-Sound of a part has another length",
    mutate: when(
      [206],
      header("recording-sound", (value) => value.replace("duration=", "duration=9")),
    ),
  },
  {
    id: "digest-of-first-part",
    class: "digest and type",
    operation: STREAMS,
    contract: "decision",
    says: "Repr-Digest is of the first recording whatever part says",
    mutate: headerOfFirst("repr-digest"),
  },
];
