// Mutants that ignore rights, or keep them and reveal hidden data: a response differs from that for missing data.
import { toErrorAnswer, when, withBody } from "../edits/answers.ts";
import { foundNothing } from "../edits/json.ts";
import { seesAll, withAuthorization } from "../edits/requests.ts";
import { countedAs } from "../edits/search.ts";
import type { Answer, Mutate, Upstream } from "../exchange.ts";
import { BASE64, type Deviation, RECORDINGS, SEARCHES, STREAMS, toMutants } from "./mutant.ts";

const SEES_ALL: Deviation = ["a restricted user gets what the administrator gets", seesAll];

/** Returns 403 instead of an empty result or 404 if the administrator sees something. */
export const tellsHidden: Mutate = async (answer, request, upstream) => {
  if (answer.status !== 404 && !foundNothing(answer)) return answer;
  const full = await seesAll(answer, request, upstream);
  return full.status === 200 && !foundNothing(full)
    ? toErrorAnswer(answer, 403, "You may not see this.")
    : answer;
};

const HIDDEN_403: Deviation = ["what the caller may not see is answered 403", tellsHidden];

/** Repeats the first caller's response to every accepted caller. */
function cachedForAll(): Deviation {
  const caches = new WeakMap<Upstream, Map<string, Answer>>();
  const cached: Mutate = (answer, { method, pathname, query }, upstream) => {
    if (answer.status !== 200 || method !== "GET") return answer;
    const cache = caches.get(upstream) ?? new Map<string, Answer>();
    caches.set(upstream, cache);
    const key = `${pathname}?${query}`;
    const kept = cache.get(key) ?? answer;
    cache.set(key, kept);
    return withBody(answer, kept.body);
  };
  return ["what the first caller saw comes for everybody", cached];
}

export const rights = toMutants("rights", "decision", {
  "search-shows-all": [SEARCHES, ...SEES_ALL],
  "call-id-shows-all": ["getMetadataByCallId", ...SEES_ALL],
  "reference-shows-all": ["getMetadataByReference", ...SEES_ALL],
  "recordings-for-all": [BASE64, ...SEES_ALL],
  "streams-for-all": [STREAMS, ...SEES_ALL],
  "chats-for-all": ["getChatByCallId", ...SEES_ALL],
  "users-for-all": ["listUsers", ...SEES_ALL],
  "addresses-for-all": ["getUserAddresses", ...SEES_ALL],
  "rights-for-all": ["getUserSecurityRights", ...SEES_ALL],
  "private-flags-for-all": ["listPrivateFlags", ...SEES_ALL],
  "public-flags-for-all": ["listPublicFlags", ...SEES_ALL],
  "count-tells-hidden": [
    "searchMetadataByCustomFields",
    "recordCount counts what the caller may not see",
    countedAs((request, { adminKey }) => withAuthorization(request, `Bearer ${adminKey}`)),
  ],
  "hidden-recording-403": [RECORDINGS, ...HIDDEN_403],
  "hidden-record-403": [["getMetadataByCallId", "getMetadataByReference"], ...HIDDEN_403],
  "hidden-chat-403": ["getChatByCallId", ...HIDDEN_403],
  "hidden-user-403": [["getUserAddresses", "getUserSecurityRights"], ...HIDDEN_403],
  "flags-cached-for-all": ["listPublicFlags", ...cachedForAll()],
  "users-cached-for-all": ["listUsers", ...cachedForAll()],
  "refusal-with-data": [
    "getUserSecurityRights",
    "401 brings the record nonetheless",
    when(401, async (answer, request, { ask, adminKey }) => {
      const full = await ask(withAuthorization(request, `Bearer ${adminKey}`));
      return full.status === 200 && request.method !== "HEAD"
        ? withBody(answer, full.body)
        : answer;
    }),
  ],
});
