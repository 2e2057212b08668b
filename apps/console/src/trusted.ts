// The page's only Trusted Types policy: only scripts from the page's own folder may become workers.
const HERE = new URL(".", location.href.split("#")[0]).href;

// Some browsers lack Trusted Types; the URL of a worker is then plain text.
interface Policies {
  createPolicy(
    name: string,
    rules: { createScriptURL(url: string): string },
  ): { createScriptURL(url: string): string };
}

const policy =
  "trustedTypes" in window
    ? // Typed by the specification, because TypeScript does not know it.
      (window.trustedTypes as Policies).createPolicy("call-media", { createScriptURL: check })
    : { createScriptURL: check };

function check(url: string): string {
  const { href } = new URL(url, location.href);
  if (!href.startsWith(HERE)) throw new TypeError(`${href} is not a script of the console`);
  return href;
}

/** The type that `new Worker` and `serviceWorker.register` accept as an address. */
export const toScriptUrl = (url: string): string => policy.createScriptURL(url);
