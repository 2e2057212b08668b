// Ways to write a secret, so that tests can look for each of them.
export const SECRET = "abCD-1234ef/Own+9";
const base64 = (text: string) => Buffer.from(text).toString("base64");
const toHex = (text: string) => Buffer.from(text).toString("hex");
const escapeAll = (text: string, escape: (code: string) => string) =>
  Array.from(text, (one) => escape(one.charCodeAt(0).toString(16).padStart(4, "0"))).join("");

/** Ways to write a text, by what they are called. */
export const WAYS: Readonly<Record<string, (text: string) => string>> = {
  "as it is": (text) => text,
  "in capitals": (text) => text.toUpperCase(),
  "in small letters": (text) => text.toLowerCase(),
  "without its first letter": (text) => text.slice(1),
  "without its last letter": (text) => text.slice(0, -1),
  "percent-encoded": encodeURIComponent,
  "percent-encoded to the letter": (text) => escapeAll(text, (code) => `%${code.slice(2)}`),
  "percent-encoded twice": (text) =>
    encodeURIComponent(escapeAll(text, (code) => `%${code.slice(2).toUpperCase()}`)),
  "in JSON": (text) => JSON.stringify({ token: text }).replaceAll("/", "\\/"),
  "in JSON in JSON": (text) => JSON.stringify(JSON.stringify({ token: `"${text}` })),
  "escaped in JSON": (text) => escapeAll(text, (code) => `\\u${code}`),
  "in HTML": (text) => escapeAll(text, (code) => `&#x${code};`),
  "in HTML, by decimals": (text) => Array.from(text, (one) => `&#${one.charCodeAt(0)};`).join(""),
  "in base64": base64,
  "in base64 for URLs": (text) => Buffer.from(text).toString("base64url"),
  "in Basic": (text) => `Basic ${base64(`user:${text}`)}`,
  "in Basic, behind a longer name": (text) => `Basic ${base64(`a.user:${text}`)}`,
  "in Basic, in a URL": (text) => encodeURIComponent(base64(`ab:${text}`)),
  "in other letter case, in Basic": (text) => `Basic ${base64(`user:${text.toUpperCase()}`)}`,
  "less its first letter, in base64": (text) => base64(text.slice(1)),
  "less its last letter, in Basic": (text) => `Basic ${base64(`user:${text.slice(0, -1)}`)}`,
  "in hexadecimal": toHex,
  "in hexadecimal capitals": (text) => toHex(`x${text}`).toUpperCase(),
  "within what is percent-encoded": (text) =>
    escapeAll(`a${text}é%`, (code) => `%${code.slice(2)}`).concat("%C3%A9"),
  "in base32": () => "MFREGRBNGEZDGNDFMYXU653OFM4Q",
  "in an address": (text) => `https://user:${encodeURIComponent(text)}@host/?key=${text}#x`,
};
