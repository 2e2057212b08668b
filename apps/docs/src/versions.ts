// The references: that of each version of the contract, and how a reader goes from one to another.
import { document } from "@call-media/api";

/** The page that Redocly makes; it stands in the menu, but is no Markdown. */
export const REFERENCE = { slug: "reference", title: "Reference" } as const;

export interface Version {
  readonly version: string;
  readonly label: string;
  /** Of its reference, relative to the first page. */
  readonly href: string;
}

/** That of the contract as it is here. */
export const HERE: Version = {
  version: document.info.version,
  label: `${document.info.version}, as it is here`,
  href: `${REFERENCE.slug}.html`,
};

/** One that was released: its address stays. */
export const toReleased = (version: string): Version => ({
  version,
  label: `${version}, as released`,
  href: `${version}/index.html`,
});

/** A button that opens the list. `root` leads from the page to the first one. */
export function writeVersionMenu(all: readonly Version[], shown: Version, root: string): string {
  const items = all.map(
    ({ href, label }) =>
      `<li><a href="${root}${href}"${href === shown.href ? ' aria-current="page"' : ""}>${label}</a></li>`,
  );
  return `<button type="button" popovertarget="versions" aria-label="Version ${shown.version}"><span>Version </span>${shown.version}</button>
<nav id="versions" aria-label="Versions of the contract" popover><ul>${items.join("")}</ul></nav>`;
}

/** Where the page is that of another version than the one here; else nothing. */
export function writeNotice({ version }: Version, root: string): string {
  if (version === HERE.version) return "";
  return `<aside class="notice" aria-label="Version">This is version ${version} of the contract. <a href="${root}${HERE.href}">Go to ${HERE.version}</a></aside>`;
}
