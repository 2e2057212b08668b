// Detects whether the client runs in a page.
import { isText } from "./values.ts";

/** True in a page, whose users can read the secrets of its programs. */
export function isPage(): boolean {
  return "document" in globalThis;
}

/** URL of the page; undefined without one. */
export function readPageUrl(): string | undefined {
  const location: { readonly href?: unknown } = Object(Reflect.get(globalThis, "location"));
  return isPage() && isText(location.href) ? location.href : undefined;
}
