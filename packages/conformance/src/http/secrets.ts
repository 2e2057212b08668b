// The secrets of a run, each with its placeholder. They are found in every spelling.
import { unescape, type Written } from "./escapes.ts";

export interface Secrets {
  /** Replaces `secret` by `name` from now on, such as `$TOKEN`. A near miss of it becomes `$TOKEN in capitals`. */
  readonly add: (secret: string, name: SecretName) => void;
  /** Adds the secrets in the value of a header: the credentials after the scheme, a password, each long part. */
  readonly addHeader: (value: string, name: SecretName) => void;
  readonly hide: (text: string) => string;
  /** Hides the secrets in all texts of a value. Everything that leaves the kit passes here. */
  readonly hideIn: <Value>(value: Value) => Value;
}

/** For example `$TOKEN`: the name of a variable in a command to paste. */
export type SecretName = `$${string}`;

// Replacing every "1" in a report would make it unreadable and hide nothing.
const SHORTEST_SECRET = 4;
/** Shorter parts of a secret are hidden only as whole words, because they occur inside common ones. */
const SHORTEST_PART = 8;
/** JSON may be nested in JSON strings. */
const MAX_ESCAPES = 3;

/** One spelling of a secret, or a near miss of it. */
interface Form {
  readonly text: string;
  readonly shown: string;
  /** True if case matters, as in base64. */
  readonly isExact: boolean;
  /** True if it is hidden only as a whole word. */
  readonly isWord: boolean;
  /** The characters of the encoding: those next to a match are hidden too. */
  readonly run?: RegExp;
}

/** A part of a text that reveals a secret, and its replacement. */
interface Spot {
  readonly from: number;
  readonly to: number;
  readonly shown: string;
}

export function createSecrets(): Secrets {
  /** The first form with each text wins. */
  const forms = new Map<string, Form>();
  const names = new Map<string, SecretName>();

  const add: Secrets["add"] = (secret, name) => {
    if (secret.length < SHORTEST_SECRET) return;
    if (!names.has(secret)) names.set(secret, name);
    for (const form of [...listPlain(secret, name), ...listCoded(secret, name)]) {
      const key = `${form.isExact} ${form.text}`;
      if (!forms.has(key)) forms.set(key, form);
    }
  };

  const hide: Secrets["hide"] = (text) => {
    const spots: Spot[] = [...listCut(text, names)];
    let written: Written | undefined = { text };
    for (let depth = 0; written !== undefined && depth <= MAX_ESCAPES; depth += 1) {
      spots.push(...listSpots(written, forms.values()));
      written = unescape(written);
    }
    return spots.length === 0 ? text : replace(text, spots);
  };

  return {
    add,
    addHeader: (value, name) => {
      for (const part of listParts(value)) add(part, name);
    },
    hide,
    hideIn: (value) => hideIn(value, hide),
  };
}

function* listPlain(secret: string, name: SecretName): Generator<Form> {
  const exact = [secret, encodeURIComponent(secret).replaceAll("%20", "+")];
  for (const text of new Set(exact)) yield { text, shown: name, isExact: true, isWord: false };
  const capitals = secret.toUpperCase();
  yield { text: capitals, shown: `${name} in capitals`, isExact: true, isWord: false };
  const other = `${name} in other letter case`;
  yield { text: secret.toLowerCase(), shown: other, isExact: false, isWord: false };
  const shown = `${name} less one letter`;
  for (const part of [secret.slice(0, -1), secret.slice(1)])
    yield { text: part.toLowerCase(), shown, isExact: false, isWord: part.length < SHORTEST_PART };
}

const DIGITS = "0123456789";
const LETTERS = "abcdefghijklmnopqrstuvwxyz";
const CODINGS = [
  { name: "base64", bits: 6, digits: `${LETTERS.toUpperCase()}${LETTERS}${DIGITS}+/` },
  { name: "base64", bits: 6, digits: `${LETTERS.toUpperCase()}${LETTERS}${DIGITS}-_` },
  { name: "base32", bits: 5, digits: `${LETTERS}234567` },
  { name: "hexadecimal", bits: 4, digits: `${DIGITS}abcdef` },
] as const;

/** The coded forms of a secret without its first and last letter, for each offset within a group of the code. */
function* listCoded(secret: string, name: SecretName): Generator<Form> {
  const isLong = secret.length >= SHORTEST_PART;
  const part = isLong ? secret.slice(1, -1) : secret.slice(0, SHORTEST_SECRET);
  const swapped = swapCase(part);
  for (const text of new Set([part, swapped, part.toUpperCase(), part.toLowerCase()])) {
    const bytes = Array.from(Buffer.from(text), (byte) => byte.toString(2).padStart(8, "0"));
    for (const { name: coding, bits, digits } of CODINGS)
      for (let before = 0; before < bits; before += 1) {
        // The digits at both ends contain bits of neighbouring bytes.
        const whole = bytes.join("").slice((bits - ((before * 8) % bits)) % bits);
        const groups = whole.match(new RegExp(`.{${bits}}`, "g")) ?? [];
        yield {
          text: groups.map((group) => digits[Number.parseInt(group, 2)]).join(""),
          shown: `${name} in ${coding}`,
          isExact: bits === 6,
          isWord: false,
          run: /^[\w+/=-]$/,
        };
      }
  }
}

export function swapCase(text: string): string {
  return Array.from(text, (character) => {
    const upper = character.toUpperCase();
    return upper === character ? character.toLowerCase() : upper;
  }).join("");
}

function* listSpots({ text, places }: Written, forms: Iterable<Form>): Generator<Spot> {
  const lower = toLower(text);
  for (const { text: form, shown, isExact, isWord, run } of forms) {
    const within = isExact ? text : lower;
    for (let at = within.indexOf(form); at >= 0; at = within.indexOf(form, at + 1)) {
      let [from, to] = [at, at + form.length];
      if (isWord && (isWordAt(text, from - 1) || isWordAt(text, to))) continue;
      while (run?.test(text.charAt(from - 1))) from -= 1;
      while (run?.test(text.charAt(to))) to += 1;
      yield { from: places?.[from]?.[0] ?? from, to: places?.[to - 1]?.[1] ?? to, shown };
    }
  }
}

/** What stands for the rest of a text that was shortened. */
const CUT = "...";

/** Beginnings of secrets at the end of a text that was shortened. */
function* listCut(text: string, names: ReadonlyMap<string, SecretName>): Generator<Spot> {
  for (let at = text.indexOf(CUT); at >= 0; at = text.indexOf(CUT, at + 1))
    for (const [secret, shown] of names) {
      let length = Math.min(at, secret.length - 1);
      while (length >= SHORTEST_SECRET && !text.startsWith(secret.slice(0, length), at - length))
        length -= 1;
      if (length >= SHORTEST_SECRET) yield { from: at - length, to: at, shown };
    }
}

const isWordAt = (text: string, at: number): boolean => /^[\p{L}\d]$/u.test(text.charAt(at));

/** Keeps the length of the text: some letters become several in lower case. */
function toLower(text: string): string {
  const lower = text.toLowerCase();
  return lower.length === text.length
    ? lower
    : Array.from(text, (one) =>
        one.toLowerCase().length === one.length ? one.toLowerCase() : one,
      ).join("");
}

/** The credentials and the password of `Basic dXNlcjpwYXNz`; each value of `a=1; b=2`. */
export function listParts(value: string): readonly string[] {
  const secret = value.replace(/^[\w-]+\s+(?=\S)/, "");
  const [, password = ""] = Buffer.from(secret, "base64").toString().split(/:(.*)/s);
  const parts = secret.split(/[\s,;"]+/).map((part) => part.replace(/^[\w-]+=(?=[^=])/, ""));
  const isSeveral = parts.length > 1 || parts[0] !== secret;
  return [
    secret,
    ...(/^basic\s/i.test(value) ? [password] : []),
    ...(isSeveral ? parts.filter(({ length }) => length >= SHORTEST_PART) : []),
  ];
}

/** Overlapping spots get one name: that of the first, or of the longer one if both begin at the same place. */
function replace(text: string, spots: readonly Spot[]): string {
  let shown = "";
  let end = 0;
  for (const spot of spots.toSorted((a, b) => a.from - b.from || b.to - a.to)) {
    if (spot.from >= end) shown += `${text.slice(end, spot.from)}${spot.shown}`;
    end = Math.max(end, spot.to);
  }
  return `${shown}${text.slice(end)}`;
}

/** Names from the kit and the owner's files. They contain nothing of the run, and a secret may equal one of them. */
const GIVEN: ReadonlySet<string> = new Set([
  "verdict",
  "requirement",
  "operation",
  "fingerprint",
  "method",
  "says",
  "source",
]);

function hideIn<Value>(value: Value, hide: Secrets["hide"], name = ""): Value {
  if (GIVEN.has(name)) return value;
  if (typeof value === "string") return hide(value) as Value; // text stays text
  if (Array.isArray(value)) return value.map((one: unknown) => hideIn(one, hide)) as Value; // same length
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [hide(key), hideIn(inner, hide, key)]),
  ) as Value; // same fields
}

/** The displayable body of a response that issues tokens. A token may have any name in it, and the body may not be JSON. */
export function hideTokens(text: string): string {
  return text.replaceAll(/[\w\-.~+/=]{16,}/g, (word) =>
    /^\d{4}-\d\d-\d\dT/.test(word) ? word : "$TOKEN",
  );
}

/** `secretKey` as `SECRET_KEY`. */
export const toVariable = (name: string): string =>
  name.replaceAll(/(?<=[a-z\d])(?=[A-Z])|[^A-Za-z\d]+/g, "_").toUpperCase();
