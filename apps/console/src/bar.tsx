// The bar of every page: home, the box to search in, and what belongs to the person: times, language, signing out.
import type { TargetedSubmitEvent } from "preact";
import { drifts } from "./access.ts";
import { go } from "./address.ts";
import { EMPTY_SEARCH, writeRoute } from "./route.ts";
import { latestRoute } from "./search/latest.ts";
import { findFault } from "./search/snippet.tsx";
import { place, type SignedIn, signedIn, signOut } from "./session.ts";
import { type Language, language, LANGUAGES, text, useLanguage } from "./text/text.ts";
import { toShown, zone, ZONES } from "./time.ts";
import { Icon } from "./ui/icon.tsx";
import { readForm } from "./ui/form.ts";
import { hasShortcuts } from "./ui/keys.ts";

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

/** Words, names, numbers or an identifier: what is found has all of them. */
function Find() {
  const t = text.value;
  const { words } = latestRoute.value;
  const submit = async (event: TargetedSubmitEvent<HTMLFormElement>) => {
    const wanted = readForm(event)("words");
    const box = event.currentTarget.elements.namedItem("words");
    const fault = wanted === "" ? undefined : await findFault(wanted);
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
        />
      </form>
    </search>
  );
}

function Account({ who: { person } }: { readonly who: SignedIn }) {
  const t = text.value;
  const name = person.username || t.administrator;
  const ends = person.ends === undefined ? undefined : toShown(person.ends, "mine");
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
      <div id="account" class="menu" popover="auto">
        <p>
          <b>{name}</b>
          {person.isAdmin && person.username !== "" && (
            <span class="quiet"> {t.administrator}</span>
          )}
          {ends !== undefined && <small>{t.sessionEnds(ends.time)}</small>}
        </p>
        <fieldset>
          <legend>{t.times}</legend>
          {ZONES.map((one) => (
            <label key={one}>
              <input
                type="radio"
                name="zone"
                checked={zone.value === one}
                onChange={() => (zone.value = one)}
              />
              {t.zones[one]}
            </label>
          ))}
        </fieldset>
        <label>
          <span>{t.languageLabel}</span>
          <select
            value={language.value}
            // Its options are the keys of the list.
            onChange={(event) => void useLanguage(event.currentTarget.value as Language)}
          >
            {Object.entries(LANGUAGES).map(([code, label]) => (
              <option key={code} value={code} lang={code}>
                {label}
              </option>
            ))}
          </select>
        </label>
        <label>
          <input
            type="checkbox"
            checked={hasShortcuts.value}
            onChange={(event) => (hasShortcuts.value = event.currentTarget.checked)}
          />
          {t.shortcuts}
        </label>
        <hr />
        <a class="button quiet" href="#/about" onClick={closeMenu}>
          {t.about}
        </a>
        <button type="button" class="button quiet" onClick={() => void signOut()}>
          {t.signOut}
        </button>
        {place.value?.kind === "session" && (
          <button type="button" class="button quiet" onClick={() => void signOut("everywhere")}>
            {t.signOutEverywhere}
          </button>
        )}
      </div>
    </>
  );
}

function closeMenu(): void {
  document.getElementById("account")?.hidePopover();
}
