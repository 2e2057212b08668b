// The frame of every page: the bar, who is signed in, and the page that the address names.
import { signal } from "@preact/signals";
import type { ComponentProps } from "preact";
import { useEffect } from "preact/hooks";
import { About } from "./about.tsx";
import { go, route } from "./address.ts";
import type { CallPage } from "./call/call-page.tsx";
import { Bar } from "./bar.tsx";
import { isBusy, isPlaying } from "./player/playing.ts";
import { EMPTY_SEARCH } from "./route.ts";
import { followSearches } from "./search/latest.ts";
import { SearchPage } from "./search/search-page.tsx";
import { lock, type SignedIn, signedIn, watchUse } from "./session.ts";
import { SignIn } from "./sign-in.tsx";
import { text } from "./text/text.ts";
import { useKeys } from "./ui/keys.ts";
import { Toast } from "./ui/toast.tsx";

export function App() {
  useEffect(() => watchUse(() => isPlaying.value || isBusy.value), []);
  const isLocked = lock.value !== undefined;
  const { value: who } = signedIn;
  return (
    <>
      <a class="skip" href="#main" onClick={toMain}>
        {text.value.skip}
      </a>
      <Bar />
      {(who === undefined || isLocked) && <SignIn />}
      {who !== undefined && (
        // Somebody else begins anew; the same person goes on where the page was locked.
        <div key={who.person.username} class={isLocked ? "is-locked" : undefined} inert={isLocked}>
          <Pages who={who} />
        </div>
      )}
      <Toast />
    </>
  );
}

// The # of the address is the page's, so that the link cannot use it.
function toMain(event: Event): void {
  event.preventDefault();
  document.getElementById("main")?.focus();
}

function Pages({ who }: { readonly who: SignedIn }) {
  const { client } = who.access;
  useKeys({ "?": () => go({ page: "about" }) });
  useEffect(() => followSearches(client), [client]);
  const { value: at } = route;
  if (at.page === "search") return <SearchPage route={at} client={client} />;
  if (at.page === "call")
    return <LazyCallPage key={`${at.by} ${at.id}`} route={at} access={who.access} />;
  return at.page === "about" ? <About client={client} /> : <Unknown />;
}

/** Its program is loaded when a call is first looked at. */
const callPage = signal<typeof CallPage | undefined>(undefined);

function LazyCallPage(props: ComponentProps<typeof CallPage>) {
  const { value: Page } = callPage;
  useEffect(() => {
    if (callPage.value !== undefined) return;
    void import("./call/call-page.tsx").then((loaded) => (callPage.value = loaded.CallPage));
  }, []);
  return Page === undefined ? <main id="main" /> : <Page {...props} />;
}

function Unknown() {
  const t = text.value;
  return (
    <main id="main" class="alone" tabIndex={-1}>
      <h1>{t.unknownPage}</h1>
      <p>
        <button type="button" class="button" onClick={() => go(EMPTY_SEARCH)}>
          {t.toSearch}
        </button>
      </p>
    </main>
  );
}
