// What the search of the site puts first.
import MiniSearch from "minisearch";
import { describe, expect, test } from "vitest";
import { type Passage, SEARCH_OPTIONS } from "../browser/passage.ts";
import { toQuery } from "../browser/query.ts";
import { writeSearchIndex } from "../src/search-index.ts";

const toPassage = (title: string, text: string, index: number): Passage => ({
  id: String(index),
  href: `page.html#${index}`,
  page: "page",
  title,
  text,
});

test("places that have the word are before those that have one like it", () => {
  const index = new MiniSearch<Passage>(SEARCH_OPTIONS);
  index.addAll([
    toPassage("React", "A hook of React with the client.", 0),
    ...["For third parties", "Exporting", "Export a whole set", "Folders"].map((title, at) =>
      toPassage(title, "Give --redact ani to mask a field in what is exported.", at + 1),
    ),
  ]);
  const titles = index.search("redact").map(({ title }) => String(title));
  expect(titles).toHaveLength(5);
  expect(titles.at(-1)).toBe("React");
});

describe("somebody who does not know the words of this site", () => {
  const index = new MiniSearch<Passage>(SEARCH_OPTIONS);
  index.addAll([
    toPassage("Save a recording", "How a call is heard.", 0),
    toPassage("Signing in", "The client has a token of its own.", 1),
    toPassage("Lost", "What a programme does that loses it.", 2),
  ]);
  const find = (text: string, combineWith: "AND" | "OR" = "AND") =>
    index.search(toQuery(text, combineWith)).map(({ title }) => String(title));

  test("finds by a word of their own what has another name here", () => {
    expect(find("save audio")).toEqual(["Save a recording"]);
  });

  test("may ask in a sentence", () => {
    expect(find("how do I get a token?")).toEqual(["Signing in"]);
    expect(find("how")).toEqual(["Save a recording"]);
  });

  test("finds places with some of the words where none has all", () => {
    expect(find("python token")).toEqual([]);
    expect(find("python token", "OR")).toEqual(["Signing in"]);
  });
});

describe("an operation is found by", () => {
  const operations = loadIndex(writeSearchIndex([]));
  const find = (text: string) =>
    operations.search(text).map(({ title }) => String(title).replace(/:.*/, ""));

  test("a field of its filter", () => {
    expect(find("security_field_01").slice(0, 1)).toEqual(["searchMetadataByCustomFields"]);
    expect(find("disposition_notes").slice(0, 1)).toEqual(["searchMetadata"]);
  });

  test("a field of what it answers", () => {
    expect(find("allow_all_campaigns")).toEqual(["getUserSecurityRights"]);
    expect(find("recordCount")).toEqual(["searchMetadataByCustomFields"]);
    expect(find("room_id")).toEqual(["getChatByCallId"]);
  });

  test("nothing that every answer has", () => {
    expect(["isError", "errorMessage"].flatMap(find)).toEqual([]);
  });
});

/** What the browser does with the script. */
function loadIndex(script: string): MiniSearch<Passage> {
  const [, json = ""] = /^globalThis\.searchIndex = (.*);\n$/.exec(script) ?? [];
  return MiniSearch.loadJSON<Passage>(JSON.parse(json), SEARCH_OPTIONS);
}
