// An address that names no page, or has a part that cannot be read.
import { go } from "./address.ts";
import { EMPTY_SEARCH, type Unreadable } from "./route.ts";
import { text } from "./text/text.ts";

export function Unknown({ unreadable }: { readonly unreadable: Unreadable | undefined }) {
  const t = text.value;
  const { parts, without } = unreadable ?? { parts: [], without: EMPTY_SEARCH };
  return (
    <main id="main" class="alone" tabIndex={-1}>
      <h1>{unreadable ? t.unreadable : t.unknownPage}</h1>
      {parts.map((part) => (
        <p key={part.text}>
          <code>
            <bdi>{part.text}</bdi>
          </code>
          {part.column !== undefined && ` ${t.column(part.column)}`}
        </p>
      ))}
      <p>
        <button type="button" class="button" onClick={() => go(without)}>
          {unreadable ? t.openWithout : t.toSearch}
        </button>
      </p>
    </main>
  );
}
