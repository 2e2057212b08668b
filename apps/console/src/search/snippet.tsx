// Why a call was found by its words: the passage of its record that has most of them. What only its chat has, its page shows.
// What folds and marks is loaded with the first search by words.
import type { CallRecord } from "@call-media/client";
import type * as Words from "@call-media/words";
import { signal } from "@preact/signals";
import { isField } from "../fields.ts";
import { text } from "../text/text.ts";
import { nameColumn } from "./labels.ts";

const loaded = signal<Used | undefined>(undefined);

type Used = Pick<typeof Words, "listSources" | "parseQuery" | "QueryFault" | "toSnippets">;

// Only what is named here is built into the page.
async function load(): Promise<Used> {
  const { listSources, parseQuery, QueryFault, toSnippets } = await import("@call-media/words");
  return (loaded.value ??= { listSources, parseQuery, QueryFault, toSnippets });
}

/** Why nothing can be searched for by these words; undefined if it can. */
export async function findFault(words: string): Promise<string | undefined> {
  const { parseQuery, QueryFault } = await load();
  try {
    parseQuery(words);
    return undefined;
  } catch (error) {
    if (error instanceof QueryFault) return error.message;
    throw error;
  }
}

const CHARACTERS = 140;

/** Gives the passage of a record; null where only its chat has the words; undefined until that is known. */
export type PassageOf = (record: CallRecord) => Words.Snippet | null | undefined;

export function createPassages(words: string): PassageOf {
  if (words === "") return () => undefined;
  void load();
  let query: Words.Query | undefined;
  // A long transcript is gone through once.
  const known = new WeakMap<CallRecord, Words.Snippet | null>();
  return (record) => {
    const { value: by } = loaded;
    if (by === undefined) return undefined;
    // The service has taken them.
    query ??= by.parseQuery(words);
    const options = { characters: CHARACTERS, snippets: 1 };
    const passage =
      known.get(record) ?? by.toSnippets(by.listSources(record), query, options)[0] ?? null;
    known.set(record, passage);
    return passage;
  };
}

export function Passage({ passage }: { readonly passage: ReturnType<PassageOf> }) {
  const t = text.value;
  if (passage === undefined) return null;
  if (passage === null) return <span class="quiet">{t.inChat}</span>;
  const { from, text: said, marks, cut } = passage;
  let end = 0;
  return (
    <>
      <span class="quiet">{from === "customer" || isField(from) ? nameColumn(from) : from}: </span>
      <bdi>
        {cut.before && "…"}
        {marks.map(([start, until]) => {
          const before = said.slice(end, start);
          end = until;
          return (
            <>
              {before}
              <mark>{said.slice(start, until)}</mark>
            </>
          );
        })}
        {said.slice(end)}
        {cut.after && "…"}
      </bdi>
    </>
  );
}
