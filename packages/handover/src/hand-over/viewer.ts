// The page of a hand-over: shows and plays its calls from a disk, without network requests.
import type { CallRecord } from "@call-media/client";
import { toExporterWords } from "../export/exporter.ts";
import { toFoundText } from "../export/found.ts";
import type { MutedFile } from "../export/manifest.ts";
import type { Report } from "../export/report.ts";
import { EN_LABELS } from "../labels/en.ts";
import { EXPORT } from "./layout.ts";
import { SCRIPT } from "./viewer-script.ts";
import { STYLE } from "./viewer-style.ts";

/** A recording of a call, or the reason why it is missing. */
export interface ViewerRecording {
  readonly part: number | null;
  /** The path in the export. */
  readonly file: string | null;
  readonly content_type: string | null;
  readonly sha256: string | null;
  readonly error: string | null;
  readonly muted?: MutedFile | undefined;
}

export interface ViewerMessage {
  readonly datetime: string | null;
  readonly label: string | null;
  readonly party_type: string | null;
  readonly transcript: string | null;
}

export interface ViewerCall {
  readonly record: CallRecord;
  readonly recordings: readonly ViewerRecording[];
  readonly messages: readonly ViewerMessage[];
}

/** The page in chunks, so that it never has to be in memory completely. */
export interface Viewer {
  readonly begin: () => string;
  readonly add: (call: ViewerCall) => string;
  readonly end: () => string;
}

/** Its policy allows only its own script and style by their SHA-256, and files in its directory as audio. */
export async function createViewer(report: Report): Promise<Viewer> {
  const { from, to, verdict, faults, unproved, redacted, finishedAt, baseUrl, exportedBy } = report;
  const { purpose = null, archiveTimeZone: zone = null } = report;
  const whole = { verdict, faults, unproved, redacted, left: report.left ?? [] };
  const found = {
    calls: report.found?.calls ?? null,
    found: toFoundText(report),
    asOf: report.asOf ?? null,
  };
  const about = {
    from,
    to,
    finishedAt,
    baseUrl,
    labels: EN_LABELS,
    by: toExporterWords(exportedBy),
    purpose,
    zone,
    ...whole,
    ...found,
  };
  const [script, style] = await Promise.all([toSource(SCRIPT), toSource(STYLE)]);
  const policy = `default-src 'none'; script-src ${script}; style-src ${style}; media-src file: 'self'; base-uri 'none'; form-action 'none'`;
  let isFirst = true;
  return {
    begin: () =>
      `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="referrer" content="no-referrer"><title>Calls ${from} to ${to}</title><style>${STYLE}</style></head>
<body><header></header><nav aria-label="Calls"></nav><main tabindex="0" aria-label="Call"></main>
<script type="application/json" id="data">{"folder":"${EXPORT}","about":${toJson(about)},"calls":[`,
    add(call) {
      const separator = isFirst ? "\n" : ",\n";
      isFirst = false;
      return `${separator}${toJson(call)}`;
    },
    end: () => `\n]}</script><script>${SCRIPT}</script></body></html>\n`,
  };
}

/** In a script element only "<" can end it or begin a comment (HTML, 4.12.1.3). */
const toJson = (value: unknown) => JSON.stringify(value).replaceAll("<", String.raw`\u003c`);

async function toSource(text: string): Promise<string> {
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text));
  return `'sha256-${btoa(String.fromCharCode(...new Uint8Array(digest)))}'`;
}
