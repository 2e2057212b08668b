// What somebody types, as the search understands it: words that say nothing are left out, and this site's words sought as well.
import type { Query } from "minisearch";
import { tokenize } from "./passage.ts";

const EMPTY_WORDS = new Set(
  "a an and are be can do does for get how i in is it my of on or the there to we what where which with".split(
    " ",
  ),
);

/** Words that people bring along, and those that this site has for them. */
const OWN_WORDS: Readonly<Record<string, readonly string[]>> = {
  audio: ["recording"],
  sound: ["recording"],
  play: ["recording"],
  pagination: ["paging"],
  permission: ["rights"],
  permissions: ["rights"],
  roles: ["rights"],
  delete: ["purge"],
  remove: ["purge"],
  docker: ["container"],
  kubernetes: ["container"],
  throttling: ["limits"],
  webhook: ["watch"],
  webhooks: ["watch"],
  swagger: ["openapi"],
  excel: ["xlsx", "csv"],
};

/** For places that have all the words, or any of them. */
export function toQuery(text: string, combineWith: "AND" | "OR"): Query {
  const all = tokenize(text);
  const telling = all.filter((word) => !EMPTY_WORDS.has(word));
  const words = telling.length > 0 ? telling : all;
  return {
    combineWith,
    queries: words.map((word) => ({
      combineWith: "OR",
      queries: [word, ...(OWN_WORDS[word] ?? [])],
    })),
  };
}
