// A passage below a row: the messages that have words of the search.
import { showSeconds } from "../time.ts";
import type { Passages } from "./passages.ts";

export function Passage({ passage }: { readonly passage: ReturnType<Passages["of"]> }) {
  if (passage === undefined) return null;
  if (typeof passage === "string") return <span class="quiet">{passage}</span>;
  const { who, at, text: said, marks, cut } = passage;
  let end = 0;
  return (
    <>
      <span class="quiet">
        <bdi>{who}</bdi> {at === undefined ? "" : <time class="number">{showSeconds(at)}</time>}
      </span>{" "}
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
