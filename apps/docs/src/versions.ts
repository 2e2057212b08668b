// The references of all versions of the contract, and the links between them.
import { document } from "@call-media/api";

/** The page that Redocly generates. It is in the menu, but is not Markdown. */
export const REFERENCE = { slug: "reference", title: "Reference" } as const;

export interface Version {
  readonly version: string;
  readonly label: string;
  /** The URL of its reference, relative to the first page. */
  readonly href: string;
}

/** The current version of the contract. */
export const HERE: Version = {
  version: document.info.version,
  label: `${document.info.version}, as it is here`,
  href: `${REFERENCE.slug}.html`,
};

/** A released version, whose URL never changes. */
export const toReleased = (version: string): Version => ({
  version,
  label: `${version}, as released`,
  href: `${version}/index.html`,
});

/** A button that opens the list. `root` is the path from the page to the first page. */
export function writeVersionMenu(all: readonly Version[], shown: Version, root: string): string {
  const items = all.map(
    ({ href, label }) =>
      `<li><a href="${root}${href}"${href === shown.href ? ' aria-current="page"' : ""}>${label}</a></li>`,
  );
  return `<button type="button" popovertarget="versions" aria-label="Version ${shown.version}"><span>Version </span>${shown.version}</button>
<nav id="versions" aria-label="Versions of the contract" popover><ul>${items.join("")}</ul></nav>`;
}

/** A notice on pages of another version than the current one; else empty. */
export function writeNotice({ version }: Version, root: string): string {
  if (version === HERE.version) return "";
  return `<aside class="notice" aria-label="Version">This is version ${version} of the contract. <a href="${root}${HERE.href}">Go to ${HERE.version}</a></aside>`;
}
