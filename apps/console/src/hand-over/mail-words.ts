// The sentences of the mail in both languages. Its numbers are written as in its language, whatever that of the page is.
import type { FoundTerms } from "@call-media/handover";
import { type Language, LOCALES } from "../text/text.ts";
import type { HiddenGroup } from "./choices.ts";
import { toTerms } from "./words.ts";

interface MailWords {
  readonly found: FoundTerms;
  readonly subject: (calls: number, days: string) => string;
  readonly days: (from: string, to: string) => string;
  readonly for: (purpose: string) => string;
  readonly file: (name: string, bytes: number) => string;
  readonly open: string;
  readonly inIt: (found: string) => string;
  readonly allThere: string;
  readonly notInIt: (lines: readonly string[]) => string;
  readonly notFound: (ids: readonly string[]) => string;
  readonly drifted: string;
  readonly lacking: Readonly<
    Record<"missing" | "refused" | "damaged" | "failed", (count: number) => string>
  >;
  readonly noTranscripts: string;
  readonly unrecorded: (reasons: readonly string[]) => string;
  readonly written: (count: number) => string;
  readonly unanswered: (count: number) => string;
  readonly others: (count: number) => string;
  readonly hidden: (names: readonly string[]) => string;
  readonly groups: Readonly<Record<HiddenGroup, string>>;
  readonly otherFields: (count: number) => string;
  readonly muted: (places: number, recordings: number) => string;
  readonly check: (link: string) => string;
  readonly byHand: string;
  readonly same: string;
}

const toEnglish = (found: FoundTerms, show: (value: number) => string): MailWords => ({
  found,
  subject: (calls, days) => `${found.calls(calls)}, ${days}`,
  days: (from, to) => `${from} to ${to}`,
  for: (purpose) => `for ${purpose}`,
  file: (name, bytes) => `File: ${name} (${show(bytes)} bytes).`,
  open: "Unpack it, and open index.html in it to read and hear the calls.",
  inIt: (text) => `In it: ${text}.`,
  allThere: "Nothing that was asked for is missing.",
  notInIt: (lines) => `Not in it: ${lines.join("; ")}.`,
  notFound: (ids) => `these calls were not found: ${ids.join(", ")}`,
  drifted: "the archive changed while it was read, so that calls may be missing",
  lacking: {
    missing: (count) =>
      `${show(count)} ${count === 1 ? "file" : "files"} that the archive names and has not`,
    refused: (count) =>
      `${show(count)} ${count === 1 ? "file" : "files"} that I have no right to, or that could not be muted`,
    damaged: (count) => `${show(count)} damaged ${count === 1 ? "file" : "files"}`,
    failed: (count) => `${show(count)} ${count === 1 ? "file" : "files"} that did not come`,
  },
  noTranscripts: "transcripts and chats, left out",
  unrecorded: (reasons) => `Calls without a recording in the archive: ${reasons.join(", ")}.`,
  written: (count) => `${show(count)} written (chat or e-mail)`,
  unanswered: (count) => `${show(count)} without talk`,
  others: (count) => `${show(count)} not recorded, or recorded elsewhere`,
  hidden: (names) => `Hidden for good: ${names.join(", ")}.`,
  groups: {
    name: "customers’ names",
    telephone: "telephone numbers",
    address: "e-mail and addresses",
    agent: "agents",
  },
  otherFields: (count) => `${show(count)} other ${count === 1 ? "field" : "fields"}`,
  muted: (places, recordings) =>
    `Muted: ${show(places)} ${places === 1 ? "place" : "places"} in ${found.recordings(recordings)}.`,
  check: (link) =>
    `The seal, 64 digits, comes in another message. To check that nothing was changed, drop the file on\n${link}\n(no sign-in; the file stays on your computer).`,
  byHand:
    "Or without it: in Windows 7-Zip, right-click, CRC SHA, SHA-256; on a Mac: shasum -a 256 and the file.",
  same: "The digits must be those of the seal.",
});

const toGerman = (found: FoundTerms, show: (value: number) => string): MailWords => ({
  found,
  subject: (calls, days) => `${found.calls(calls)}, ${days}`,
  days: (from, to) => `${from} bis ${to}`,
  for: (purpose) => `für ${purpose}`,
  file: (name, bytes) => `Datei: ${name} (${show(bytes)} Bytes).`,
  open: "Entpacken Sie sie und öffnen Sie darin index.html, um die Anrufe zu lesen und zu hören.",
  inIt: (text) => `Darin: ${text}.`,
  allThere: "Nichts, was verlangt war, fehlt.",
  notInIt: (lines) => `Nicht darin: ${lines.join("; ")}.`,
  notFound: (ids) => `diese Anrufe wurden nicht gefunden: ${ids.join(", ")}`,
  drifted: "das Archiv hat sich beim Lesen geändert, so dass Anrufe fehlen können",
  lacking: {
    missing: (count) =>
      `${show(count)} ${count === 1 ? "Datei" : "Dateien"}, die das Archiv nennt und nicht hat`,
    refused: (count) =>
      `${show(count)} ${count === 1 ? "Datei" : "Dateien"}, für die mir das Recht fehlt oder die sich nicht stumm schalten ließen`,
    damaged: (count) => `${show(count)} beschädigte ${count === 1 ? "Datei" : "Dateien"}`,
    failed: (count) =>
      `${show(count)} ${count === 1 ? "Datei, die nicht kam" : "Dateien, die nicht kamen"}`,
  },
  noTranscripts: "Transkripte und Chats, weggelassen",
  unrecorded: (reasons) => `Anrufe ohne Aufnahme im Archiv: ${reasons.join(", ")}.`,
  written: (count) => `${show(count)} geschrieben (Chat oder E-Mail)`,
  unanswered: (count) => `${show(count)} ohne Gespräch`,
  others: (count) => `${show(count)} nicht oder anderswo aufgenommen`,
  hidden: (names) => `Endgültig unkenntlich: ${names.join(", ")}.`,
  groups: {
    name: "Namen der Kunden",
    telephone: "Telefonnummern",
    address: "E-Mail und Anschriften",
    agent: "Agenten",
  },
  otherFields: (count) => `${show(count)} ${count === 1 ? "anderes Feld" : "andere Felder"}`,
  muted: (places, recordings) =>
    `Stumm: ${show(places)} ${places === 1 ? "Stelle" : "Stellen"} in ${found.recordings(recordings)}.`,
  check: (link) =>
    `Das Siegel, 64 Ziffern, kommt in einer anderen Nachricht. Um zu prüfen, dass nichts verändert wurde, ziehen Sie die Datei auf\n${link}\n(ohne Anmeldung; die Datei bleibt auf Ihrem Rechner).`,
  byHand:
    "Oder ohne die Seite: in Windows 7-Zip, Rechtsklick, CRC SHA, SHA-256; auf dem Mac: shasum -a 256 und die Datei.",
  same: "Die Ziffern müssen die des Siegels sein.",
});

export function toMailWords(language: Language): MailWords {
  const show = (value: number) => value.toLocaleString(LOCALES[language]);
  const found = toTerms(language, show);
  return language === "de" ? toGerman(found, show) : toEnglish(found, show);
}
