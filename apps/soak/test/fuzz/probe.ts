// A request as it is sent, whatever is wrong with it, and the command that sends it again.

/** `right`: all that the contract asks for holds. `nearly right`: that, changed in a few places. */
export type ProbeKind = "right" | "nearly right" | "hostile";

export interface Probe {
  readonly kind: ProbeKind;
  readonly method: string;
  /** With its query, as it goes out: each character is one byte. */
  readonly target: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body?: Uint8Array | undefined;
}

export function headerOf({ headers }: Probe, name: string): string | undefined {
  return headers.find(([given]) => given.toLowerCase() === name.toLowerCase())?.[1];
}

/** The probe with this header instead of any of its name, or without it. */
export function withHeader(probe: Probe, name: string, value: string | undefined): Probe {
  const others = probe.headers.filter(([given]) => given.toLowerCase() !== name.toLowerCase());
  return { ...probe, headers: value === undefined ? others : [...others, [name, value]] };
}

/** For bash, whose $'...' can say any byte but NUL. */
export function toCurl(baseUrl: string, { method, target, headers, body }: Probe): string {
  return [
    "curl -sS -i --path-as-is --globoff",
    method === "HEAD" ? "--head" : `-X ${quote(method)}`,
    ...headers.map(([name, value]) => `-H ${quote(`${name}: ${value}`)}`),
    ...(body === undefined ? [] : [`--data-binary ${quote(Buffer.from(body).toString("latin1"))}`]),
    quote(target.startsWith("/") ? `${baseUrl}${target}` : baseUrl),
    ...(target.startsWith("/") ? [] : [`--request-target ${quote(target)}`]),
  ].join(" ");
}

/** Bytes, each character one of them, as bash writes them. */
export function quote(bytes: string): string {
  return `$'${bytes.replace(/[^ !#-&(-[\]-~]/g, toEscape)}'`;
}

function toEscape(character: string): string {
  return `\\x${character.charCodeAt(0).toString(16).padStart(2, "0")}`;
}
