// Mutants that keep rights but reveal hidden data: their response differs from that for missing data.
import { toErrorAnswer, when, withBody } from "../edits/answers.ts";
import { foundNothing } from "../edits/json.ts";
import { seesAll, withAuthorization } from "../edits/requests.ts";
import type { Answer, Mutate, Upstream } from "../exchange.ts";
import { BASE64, STREAMS, toMutants } from "./mutant.ts";

const found = (answer: Answer) => answer.status === 200 && !foundNothing(answer);

/** Returns 403 instead of an empty result or 404 if the administrator sees something. */
export const tellsHidden: Mutate = async (answer, request, upstream) => {
  if (answer.status !== 404 && !foundNothing(answer)) return answer;
  const full = await seesAll(answer, request, upstream);
  return found(full) ? toErrorAnswer(answer, 403, "You may not see this.") : answer;
};

/** Repeats the first caller's response to every accepted caller. */
function cachedForAll(): Mutate {
  const caches = new WeakMap<Upstream, Map<string, Answer>>();
  return (answer, { method, pathname, query }, upstream) => {
    if (answer.status !== 200 || method !== "GET") return answer;
    const cache = caches.get(upstream) ?? new Map<string, Answer>();
    caches.set(upstream, cache);
    const key = `${pathname}?${query}`;
    const kept = cache.get(key) ?? answer;
    cache.set(key, kept);
    return withBody(answer, kept.body);
  };
}

export const hidden = toMutants("rights", "decision", {
  "hidden-recording-403": [
    [...BASE64, ...STREAMS],
    "a recording that the caller may not see is answered 403, not 404",
    tellsHidden,
  ],
  "hidden-record-403": [
    ["getMetadataByCallId", "getMetadataByReference"],
    "a call that the caller may not see is answered 403",
    tellsHidden,
  ],
  "hidden-chat-403": [
    "getChatByCallId",
    "a chat that the caller may not see is answered 403",
    tellsHidden,
  ],
  "hidden-user-403": [
    ["getUserAddresses", "getUserSecurityRights"],
    "a user whom the caller may not see is answered 403",
    tellsHidden,
  ],
  "flags-cached-for-all": [
    "listPublicFlags",
    "the public flags of whoever asks first come for everybody",
    cachedForAll(),
  ],
  "users-cached-for-all": [
    "listUsers",
    "the users that the first caller saw come for everybody",
    cachedForAll(),
  ],
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
