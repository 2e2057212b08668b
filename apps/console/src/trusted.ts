// The one policy of Trusted Types: scripts of this page's own folder, and nothing else, may become workers.
const HERE = new URL(".", location.href.split("#")[0]).href;

// Not every browser has them; the address of a worker is then text.
interface Policies {
  createPolicy(
    name: string,
    rules: { createScriptURL(url: string): string },
  ): { createScriptURL(url: string): string };
}

const policy =
  "trustedTypes" in window
    ? // As the specification has it; TypeScript does not know it.
      (window.trustedTypes as Policies).createPolicy("call-media", { createScriptURL: check })
    : { createScriptURL: check };

function check(url: string): string {
  const { href } = new URL(url, location.href);
  if (!href.startsWith(HERE)) throw new TypeError(`${href} is not a script of the console`);
  return href;
}

/** The type that `new Worker` and `serviceWorker.register` accept as an address. */
export const toScriptUrl = (url: string): string => policy.createScriptURL(url);
