// The author of an export, in the form of its report.

export interface Exporter {
  /** How the author signed in; `proxy`: a proxy in front of the service signed them in. */
  readonly by: "application" | "API key" | "proxy";
  /** The username; null if the service does not name the caller, or if fields are masked. */
  readonly user: string | null;
  /** The exporting program and its version: "call-media 1.2.0". */
  readonly program: string;
}

const WORDS: Readonly<Record<Exporter["by"], string>> = {
  application: "an application",
  "API key": "an API key",
  proxy: "a session behind a proxy",
};

export function isExporter(value: unknown): value is Exporter {
  const { by, user, program } = Object(value) as Partial<Exporter>;
  const isKnown = Object.hasOwn(WORDS, String(by)) && typeof program === "string";
  return isKnown && (user === null || typeof user === "string");
}

/** "an application of ana.kovac", "an API key (user not named)" */
export const toExporterWords = ({ by, user }: Exporter): string =>
  user === null ? `${WORDS[by]} (user not named)` : `${WORDS[by]} of ${user}`;
