// The frame of every page: the bar, the signed-in user, and the page that the URL names.
import { useEffect } from "preact/hooks";
import type { Access } from "./access.ts";
import { go, route } from "./address.ts";
import { Bar } from "./bar.tsx";
import { mutedPlaces } from "./mute/muted-places.ts";
import { isBusy, isPlaying, played, shownSound } from "./player/playing.ts";
import { type Route, writeRoute } from "./route.ts";
import { followSearches } from "./search/latest.ts";
import { SearchBars, SearchPage } from "./search/search-page.tsx";
import { lock, type SignedIn, signedIn, watchUse } from "./session.ts";
import { text } from "./text/text.ts";
import { useKeys } from "./ui/keys.ts";
import { lazy } from "./ui/lazy.tsx";
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
      {(who === undefined || isLocked) && (isCheck() ? <LazyCheckPage /> : <LazySignIn />)}
      {who !== undefined && (
        // Another user starts from the beginning; the same user continues where the page was locked.
        <div key={who.person.username} class={isLocked ? "is-locked" : undefined} inert={isLocked}>
          <Pages who={who} />
        </div>
      )}
      <Toast />
    </>
  );
}

/** A recipient of a hand-over may have no right to the archive. */
const isCheck = (): boolean => route.value.page === "check" && signedIn.value === undefined;

// The # of the URL belongs to the page's own routes, so the link cannot use it.
function toMain(event: Event): void {
  event.preventDefault();
  document.getElementById("main")?.focus();
}

function Pages({ who }: { readonly who: SignedIn }) {
  const { client } = who.access;
  useKeys({ "?": () => go({ page: "about" }) });
  useEffect(() => followSearches(client), [client]);
  useEffect(() => forgetUser, []);
  const { value: at } = route;
  return (
    <>
      <Page at={at} access={who.access} />
      <div class="below">
        {at.page === "search" && <SearchBars route={at} />}
        {played.value !== undefined && played.value.sound !== (shownSound.value ?? null) && (
          <LazySmallPlayer played={played.value} isList={at.page === "search"} />
        )}
      </div>
    </>
  );
}

/** Stops what is playing and drops the muted places, so that the next user gets neither. */
function forgetUser(): void {
  played.value = undefined;
  mutedPlaces.value = [];
}

function Page({ at, access }: { readonly at: Route; readonly access: Access }) {
  if (at.page === "search") return <SearchPage route={at} access={access} />;
  if (at.page === "call")
    return <LazyCallPage key={`${at.by} ${at.id}`} route={at} access={access} />;
  if (at.page === "read") return <LazyReadPage route={at} access={access} />;
  if (at.page === "hand-over") return <LazyHandOverPage key={writeRoute(at)} route={at} />;
  if (at.page === "check") return <LazyCheckPage />;
  if (at.page === "loading") return <main id="main" />;
  return at.page === "about" ? (
    <LazyAbout client={access.client} />
  ) : (
    <LazyUnknown unreadable={at.unreadable} />
  );
}

const LazySmallPlayer = lazy(async () => (await import("./player/small-player.tsx")).SmallPlayer);

/** The page stays empty until its code is loaded. */
const lazyPage: typeof lazy = (load) => lazy(load, <main id="main" />);

const LazyAbout = lazyPage(async () => (await import("./about.tsx")).About);
const LazySignIn = lazyPage(async () => (await import("./sign-in.tsx")).SignIn);
const LazyHandOverPage = lazyPage(
  async () => (await import("./hand-over/hand-over-page.tsx")).HandOverPage,
);
const LazyCheckPage = lazyPage(async () => (await import("./check/check-page.tsx")).CheckPage);
const LazyReadPage = lazyPage(async () => (await import("./read/read-page.tsx")).ReadPage);
const LazyCallPage = lazyPage(async () => (await import("./call/call-page.tsx")).CallPage);
const LazyUnknown = lazyPage(async () => (await import("./unknown.tsx")).Unknown);
