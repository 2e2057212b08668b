// The personal menu: time zone, language, shortcuts, help and sign-out.
import { place, type SignedIn, signOut } from "./session.ts";
import { menuWords } from "./text/menu-words.ts";
import { type Language, language, LANGUAGES, text, useLanguage } from "./text/text.ts";
import { toShown, zone, ZONES } from "./time.ts";
import { hasShortcuts } from "./ui/keys.ts";
import { useFocus } from "./ui/focus.ts";
import { closePopover } from "./ui/popover.tsx";

export function AccountMenu({ person }: Pick<SignedIn, "person">) {
  const t = text.value;
  const m = menuWords();
  useFocus();
  const name = person.username || t.administrator;
  const ends = person.ends === undefined ? undefined : toShown(person.ends, "mine");
  return (
    <>
      <p>
        <b>{name}</b>
        {person.isAdmin && person.username !== "" && <span class="quiet"> {t.administrator}</span>}
        {ends !== undefined && <small>{m.sessionEnds(ends.time)}</small>}
      </p>
      <fieldset>
        <legend>{m.times}</legend>
        {ZONES.map((one) => (
          <label key={one}>
            <input
              type="radio"
              name="zone"
              checked={zone.value === one}
              onChange={() => (zone.value = one)}
            />
            {m.zones[one]}
          </label>
        ))}
      </fieldset>
      <LanguageChoice />
      <label>
        <input
          type="checkbox"
          checked={hasShortcuts.value}
          onChange={(event) => (hasShortcuts.value = event.currentTarget.checked)}
        />
        {m.shortcuts}
      </label>
      <hr />
      <a class="button quiet" href="#/about" onClick={() => closePopover("account")}>
        {m.about}
      </a>
      <button type="button" class="button quiet" onClick={() => void signOut()}>
        {m.signOut}
      </button>
      {place.value?.kind === "session" && (
        <button type="button" class="button quiet" onClick={() => void signOut("everywhere")}>
          {m.signOutEverywhere}
        </button>
      )}
    </>
  );
}

function LanguageChoice() {
  return (
    <label>
      <span>{menuWords().languageLabel}</span>
      <select
        value={language.value}
        // The select offers only the languages of the list.
        onChange={(event) => void useLanguage(event.currentTarget.value as Language)}
      >
        {Object.entries(LANGUAGES).map(([code, label]) => (
          <option key={code} value={code} lang={code}>
            {label}
          </option>
        ))}
      </select>
    </label>
  );
}
