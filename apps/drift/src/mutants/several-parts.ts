// Mutants of calls with several recordings, which return one of them for another.
import { header, when, withHeaders } from "../edits/answers.ts";
import { field, json, type JsonObject, parseSuccess, toText } from "../edits/json.ts";
import { queryOf, withQuery } from "../edits/requests.ts";
import type { Answer, Mutate, ProxyRequest, Upstream } from "../exchange.ts";
import { BASE64, METADATA, STREAMS, type Mutant, toMutants } from "./mutant.ts";

/** The response with the first recording, if the request is for another one. */
async function findFirst(request: ProxyRequest, { ask }: Upstream): Promise<Answer | undefined> {
  const part = queryOf(request, "part");
  return part === "" || part === "1" ? undefined : ask(withQuery(request, { part: "1" }));
}

/** Returns a header of the first recording, whatever part is requested. */
const headerOfFirst = (name: string): Mutate =>
  when([200, 206], async (answer, request, upstream) => {
    const first = await findFirst(request, upstream);
    return first === undefined ? answer : withHeaders(answer, { [name]: first.headers[name] });
  });

export const severalParts: readonly Mutant[] = [
  ...toMutants("value", "decision", {
    "recordings-with-commas": [
      METADATA,
      "the names in recordings have commas between them",
      field("recordings", (value) => toText(value).replaceAll("; ", ", ")),
    ],
    "recordings-first-alone": [
      METADATA,
      "recordings names the first recording alone",
      field("recordings", (value) => toText(value).replace(/; .*/, "")),
    ],
  }),
  ...toMutants("base64", "decision", {
    "filename-of-first-part": [
      BASE64,
      "filename is that of the first recording whatever part says",
      async (answer, request, upstream) => {
        const first = answer.status === 200 ? await findFirst(request, upstream) : undefined;
        if (first === undefined) return answer;
        const { filename = null } = (parseSuccess(first)?.data ?? {}) as JsonObject; // one recording
        const edit = json((whole) => ({
          ...whole,
          data: { ...(whole.data as JsonObject), filename },
        })); // one recording
        return edit(answer, request, upstream);
      },
    ],
  }),
  ...toMutants("header", "decision", {
    "disposition-of-first-part": [
      STREAMS,
      "Content-Disposition names the first recording whatever part says",
      headerOfFirst("content-disposition"),
    ],
    "owner-of-another-call": [
      [...BASE64, ...STREAMS],
      "Recording-Of names a record that the call does not have",
      header("recording-of", (value) => value.replace(/datetime=%"\d/, 'datetime=%"3')),
    ],
    "sound-of-part": [
      STREAMS,
      "Recording-Sound of a part has another length",
      when(
        [206],
        header("recording-sound", (value) => value.replace("duration=", "duration=9")),
      ),
    ],
  }),
  ...toMutants("digest and type", "decision", {
    "digest-of-first-part": [
      STREAMS,
      "Repr-Digest is of the first recording whatever part says",
      headerOfFirst("repr-digest"),
    ],
  }),
];
