// The bar of every page: home, the search box and the personal menu.
import type { TargetedSubmitEvent } from "preact";
import { drifts } from "./access.ts";
import { go } from "./address.ts";
import { EMPTY_SEARCH, writeRoute } from "./route.ts";
import { MAX_LISTED, toPastedIds } from "./search/id-paste.ts";
import { latestRoute } from "./search/latest.ts";
import { findFault } from "./search/snippet.ts";
import { place, type SignedIn, signedIn } from "./session.ts";
import { text } from "./text/text.ts";
import { Icon } from "./ui/icon.tsx";
import { readForm } from "./ui/form.ts";
import { lazy } from "./ui/lazy.tsx";
import { Popover } from "./ui/popover.tsx";
import { say } from "./ui/toast.tsx";

export function Bar() {
  const t = text.value;
  const { value: who } = signedIn;
  const { value: found } = place;
  const isBeside = found !== undefined && new URL(found.baseUrl).origin === location.origin;
  return (
    <header class="bar">
      <a class="name" href={writeRoute(EMPTY_SEARCH)}>
        {t.product}
      </a>
      {who !== undefined && <Find />}
      {who !== undefined && drifts.value.length > 0 && (
        <a class="badge bad" href="#/about" title={t.departuresHint}>
          <Icon name="alert" isSmall />
          {t.departures(drifts.value.length)}
        </a>
      )}
      {isBeside && (
        <a class={who === undefined ? "last" : "wide-only"} href="../docs/">
          {t.docs}
        </a>
      )}
      {who !== undefined && <Account who={who} />}
    </header>
  );
}

/** Accepts words, names, numbers or an identifier; results contain all of them. */
function Find() {
  const t = text.value;
  const { words } = latestRoute.value;
  const submit = async (event: TargetedSubmitEvent<HTMLFormElement>) => {
    const wanted = readForm(event)("words");
    const box = event.currentTarget.elements.namedItem("words");
    const fault = wanted === "" ? undefined : await findFault(wanted);
    if (box instanceof HTMLInputElement && box.value.trim() !== wanted) return;
    if (fault === undefined) go({ ...latestRoute.value, words: wanted });
    else if (box instanceof HTMLInputElement) {
      box.setCustomValidity(t.wordsFault(fault));
      box.reportValidity();
    }
  };
  return (
    <search>
      <form class="box" onSubmit={(event) => void submit(event)}>
        <Icon name="search" isSmall />
        <input
          key={words}
          type="search"
          name="words"
          aria-label={t.findWords}
          placeholder={t.findWords}
          title={t.findWordsHint}
          defaultValue={words}
          autocomplete="off"
          dir="auto"
          maxLength={1000}
          onInput={(event) => event.currentTarget.setCustomValidity("")}
          onPaste={(event) => {
            const ids = toPastedIds(event.clipboardData?.getData("text") ?? "");
            if (ids === undefined) return;
            event.preventDefault();
            if (ids.length > MAX_LISTED) say(t.tooManyListed(ids.length, MAX_LISTED));
            else go({ ...EMPTY_SEARCH, days: "all", filters: { call_id: ids } });
          }}
        />
      </form>
    </search>
  );
}

function Account({ who: { person } }: { readonly who: SignedIn }) {
  const t = text.value;
  const name = person.username || t.administrator;
  return (
    <>
      <button
        type="button"
        class="button quiet who"
        popovertarget="account"
        aria-label={t.account(name)}
        title={name}
      >
        <span class="narrow-only">
          <Icon name="user" />
        </span>
        <span class="wide-only cut">{name}</span>
        <span class="wide-only">
          <Icon name="down" isSmall />
        </span>
      </button>
      <Popover id="account" label={t.account(name)}>
        <LazyAccountMenu person={person} />
      </Popover>
    </>
  );
}

const LazyAccountMenu = lazy(async () => (await import("./account-menu.tsx")).AccountMenu);
