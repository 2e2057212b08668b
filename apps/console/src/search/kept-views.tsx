// Searches that this browser stores under a name, without personal values unless the user wants them.
import { listTests } from "@call-media/conditions";
import { useSignal } from "@preact/signals";
import type { TargetedSubmitEvent } from "preact";
import { isField, PERSONAL } from "../fields.ts";
import { kept } from "../kept.ts";
import { type SearchRoute, writeRoute } from "../route.ts";
import { menuWords } from "../text/menu-words.ts";
import { text } from "../text/text.ts";
import { IconButton } from "../ui/button.tsx";
import { readForm } from "../ui/form.ts";
import { useFocus } from "../ui/focus.ts";
import { closePopover } from "../ui/popover.tsx";

interface View {
  readonly name: string;
  /** The URL from the # on. */
  readonly hash: string;
}

const isView = (value: unknown): value is View =>
  value instanceof Object &&
  "name" in value &&
  typeof value.name === "string" &&
  "hash" in value &&
  typeof value.hash === "string" &&
  value.hash.startsWith("#/");

const views = kept<readonly View[]>("views", [], (value) =>
  Array.isArray(value) ? value.filter(isView) : undefined,
);

export function KeptViews({ route }: { readonly route: SearchRoute }) {
  const t = text.value;
  const m = menuWords();
  useFocus();
  const keepsPersons = useSignal(false);
  const safe = withoutPersons(route);
  const hasPersons = writeRoute(safe) !== writeRoute(route);
  const save = (event: TargetedSubmitEvent<HTMLFormElement>) => {
    const name = readForm(event)("name");
    event.currentTarget.reset();
    const hash = writeRoute(keepsPersons.value ? route : safe);
    if (name !== "")
      views.value = [...views.value.filter((view) => view.name !== name), { name, hash }];
    keepsPersons.value = false;
  };
  return (
    <>
      {views.value.length === 0 && <p class="quiet">{m.noViews}</p>}
      <ul class="values">
        {views.value.map((view) => (
          <li key={view.name}>
            <a class="button quiet" href={view.hash} onClick={() => closePopover("views")}>
              <bdi class="cut">{view.name}</bdi>
            </a>
            <IconButton
              icon="close"
              label={t.remove(view.name)}
              onClick={() => (views.value = views.value.filter((one) => one !== view))}
            />
          </li>
        ))}
      </ul>
      <hr />
      <form onSubmit={save}>
        <label>
          <span>{m.viewName}</span>
          <input name="name" required maxLength={80} autocomplete="off" />
        </label>
        {hasPersons && (
          <label class="confirm">
            <input
              type="checkbox"
              checked={keepsPersons.value}
              onChange={(event) => (keepsPersons.value = event.currentTarget.checked)}
            />
            {m.viewHasPersons}
          </label>
        )}
        <button type="submit" class="button">
          {m.saveView}
        </button>
      </form>
    </>
  );
}

const withoutPersons = (route: SearchRoute): SearchRoute => ({
  ...route,
  words: "",
  filters: Object.fromEntries(
    Object.entries(route.filters).filter(([field]) => isField(field) && !PERSONAL.has(field)),
  ),
  where: route.where.filter((condition) =>
    listTests(condition).every(({ field, value }) => value === null || !PERSONAL.has(field)),
  ),
});
