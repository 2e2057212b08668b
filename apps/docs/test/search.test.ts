// What the search of the site puts first.
import MiniSearch from "minisearch";
import { expect, test } from "vitest";
import { type Passage, SEARCH_OPTIONS } from "../browser/passage.ts";

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
