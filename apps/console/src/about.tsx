// Help, and what is known of the service: keys, what one may see, and where answers left the contract.
import type { CallMediaClient } from "@call-media/client";
import { drifts } from "./access.ts";
import { text } from "./text/text.ts";

export function About(_props: { readonly client: CallMediaClient }) {
  const t = text.value;
  return (
    <main id="main" class="about-page" tabIndex={-1}>
      <h1>{t.aboutTitle}</h1>
      <section>
        <h2>{t.departuresTitle}</h2>
        {drifts.value.length === 0 && <p>{t.noDepartures}</p>}
        <ul>
          {drifts.value.map(({ operationId, pointer, expected, received }) => (
            <li key={operationId + pointer}>
              {operationId} {pointer}: {received}, {expected}
            </li>
          ))}
        </ul>
      </section>
    </main>
  );
}
