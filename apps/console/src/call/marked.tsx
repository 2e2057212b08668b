// Text with what was found in it marked.
import type { Hit } from "./lines.ts";

export function Marked({
  said,
  hits,
  hit,
}: {
  readonly said: string;
  readonly hits: readonly Hit[];
  readonly hit: Hit | undefined;
}) {
  let from = 0;
  const parts = hits.map((one) => {
    const before = said.slice(from, one.start);
    from = one.start + one.length;
    return (
      <>
        {before}
        <mark class={one === hit ? "is-here" : undefined}>{said.slice(one.start, from)}</mark>
      </>
    );
  });
  return (
    <>
      {parts}
      {said.slice(from)}
    </>
  );
}
