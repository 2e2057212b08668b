// What must never be shown: every secret a run holds, each with the name that stands in its place.

export interface Secrets {
  /** From now on `name`, for example `$TOKEN`, is shown in place of `secret`. */
  readonly add: (secret: string, name: SecretName) => void;
  readonly hide: (text: string) => string;
}

/** Such as `$TOKEN`: the name of a variable in a command to paste. */
export type SecretName = `$${string}`;

// Replacing every "1" in a report would make it unreadable and hide nothing.
const SHORTEST_SECRET = 4;

export function createSecrets(): Secrets {
  const names = new Map<string, SecretName>();
  let longestFirst: readonly (readonly [string, SecretName])[] = [];
  return {
    add: (secret, name) => {
      if (secret.length < SHORTEST_SECRET) return;
      // A secret may come back inside JSON or a URL.
      for (const form of [secret, JSON.stringify(secret).slice(1, -1), encodeURIComponent(secret)])
        if (!names.has(form)) names.set(form, name);
      longestFirst = [...names].toSorted(([a], [b]) => b.length - a.length);
    },
    hide: (text) =>
      longestFirst.reduce((shown, [secret, name]) => shown.replaceAll(secret, () => name), text),
  };
}

/**
 * The body of an answer of POST /Token as it may be shown: a token may stand under any name in it,
 * or in no JSON at all.
 */
export function hideTokens(text: string): string {
  return text.replaceAll(/[\w\-.~+/=]{16,}/g, (word) =>
    /^\d{4}-\d\d-\d\dT/.test(word) ? word : "$TOKEN",
  );
}
