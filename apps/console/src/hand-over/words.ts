// The words of a hand-over in both languages, loaded with it.
import type { Failure, FoundTerms } from "@call-media/handover";
import type { Listing } from "./listing.ts";
import { type Language, language, showBytes, showNumber } from "../text/text.ts";

const calls = (count: number) => `${showNumber(count)} ${count === 1 ? "call" : "calls"}`;
const ENGLISH: FoundTerms = {
  calls,
  legs: (count) => `${showNumber(count)} ${count === 1 ? "leg" : "legs"}`,
  recordings: (count) => `${showNumber(count)} ${count === 1 ? "recording" : "recordings"}`,
  of: (some, all) => `${showNumber(some)} of ${all}`,
  leftOut: "recordings left out",
  none: (count) => `${calls(count)} ${count === 1 ? "has" : "have"} none in the archive`,
};

/** "11 calls, 12 legs, 4 recordings, 3.1 MB" */
const contentText = ({ calls: all, records, recordings, bytes }: Listing, terms: FoundTerms) =>
  [
    terms.calls(all),
    ...(all === records.length ? [] : [terms.legs(records.length)]),
    terms.recordings(recordings),
    showBytes(bytes),
  ].join(", ");

const files = (count: number) => `${showNumber(count)} ${count === 1 ? "file" : "files"}`;

const FAILURES: Readonly<Record<Failure, string>> = {
  missing: "missing in the archive",
  refused: "refused",
  damaged: "damaged: the bytes are not those that the archive announces",
  failed: "not received",
};

/** Why a hand-over is incomplete: files not received, and calls that may be missing. */
interface Lacking {
  readonly missing: number;
  readonly hasDrifted: boolean;
}

const en = {
  title: "Hand over",
  what: "One zip: the calls with their files, a page to read and hear them with, a spreadsheet, and what proves that nothing was changed.",
  reading: (done: number, total: number | undefined) =>
    total === undefined
      ? `Looking for the calls: ${showNumber(done)}`
      : `Looking for the calls: ${showNumber(done)} of ${showNumber(total)}`,
  weighing: (done: number, total: number) =>
    `Adding up the recordings: ${showNumber(done)} of ${showNumber(total)}`,
  found: ENGLISH,
  content: (listing: Listing) => contentText(listing, ENGLISH),
  nothing: "There are no calls to hand over. The archive may have changed: repeat the search.",
  include: "Files",
  recordings: "Recordings",
  transcripts: "Transcripts",
  mask: "Mask fields",
  maskedCount: (count: number) => (count === 0 ? "none" : showNumber(count)),
  maskHint:
    "Masked for good, also where other fields and transcripts repeat the value in any spelling. What stays: what is said in recordings, and elsewhere single characters and numbers of fewer than four digits.",
  searchedBy: "The search, which is in the report, would tell what is masked.",
  isRecorded: "Listening and downloading are recorded under your name.",
  noViewer: (most: number) =>
    `Above ${showNumber(most)} calls a hand-over has no page to read and hear them with. The spreadsheet lists them.`,
  inMemory: (most: number) =>
    `This browser keeps the zip in memory until it is whole: at most ${showBytes(most)}.`,
  tooLargeForMemory: (bytes: number, most: number) =>
    `This browser keeps a zip in memory, at most ${showBytes(most)}, and this one would have ${showBytes(bytes)}. Use Chrome or Edge, select fewer calls, or use the command line.`,
  tooLarge: (bytes: number, count: number) =>
    `A zip holds 4 GB and 65,000 files, and this one would have ${showBytes(bytes)} and ${files(count)}. Select fewer calls, or export a folder with the command line.`,
  grewTooLarge: "The hand-over became larger than a zip can be. Nothing was kept.",
  save: "Save hand-over",
  stop: "Stop",
  done: "Close",
  again: "Again",
  command: "The same on the command line",
  copyCommand: "Copy command",
  copiedCommand: "Copied the command.",
  writing: (done: number, total: number) => `${showNumber(done)} of ${calls(total)}`,
  received: (bytes: number) => `${showBytes(bytes)} received`,
  notReceived: (count: number) => `${files(count)} not received`,
  finishing: "Writing the spreadsheet and the page …",
  stopped: "Stopped. Nothing was kept.",
  saved: (name: string, bytes: number) => `${name} is saved: ${showBytes(bytes)}.`,
  complete: (found: string) => `Complete: ${found}.`,
  incomplete: (found: string, { missing, hasDrifted }: Lacking) =>
    [
      `Incomplete: ${found}.`,
      hasDrifted && "The archive changed while it was read, so that calls may be missing.",
      missing > 0 && `${files(missing)} not received:`,
    ]
      .filter(Boolean)
      .join(" "),
  notFound: (asked: number, ids: readonly string[]) =>
    `${showNumber(ids.length)} of ${calls(asked)} that you selected ${ids.length === 1 ? "was" : "were"} not found again: ${ids.join(", ")}`,
  toMute: (places: number) =>
    `${showNumber(places)} muted ${places === 1 ? "place" : "places"}, with ${places === 1 ? "its" : "their"} words`,
  unheard: (some: number, all: number) =>
    `${showNumber(some)} of ${showNumber(all)} not listened to yet.`,
  muteHint:
    "WAV and MP3 stay what they are. Opus, M4A, WebM and FLAC are decoded here and become WAV. A recording that cannot be muted is left out.",
  muted: (recordings: number, places: number, seconds: number) =>
    `Muted: ${showNumber(places)} ${places === 1 ? "place" : "places"} in ${ENGLISH.recordings(recordings)}, ${showNumber(seconds)} seconds.`,
  notMuted: (names: readonly string[]) => `Not found, hence not muted: ${names.join(", ")}`,
  failures: FAILURES,
  recording: (part: number | null, id: string) => `recording ${part} of ${id}`,
  transcript: (id: string) => `transcript of ${id}`,
  andMore: (count: number) => `and ${showNumber(count)} more`,
  seal: "Seal",
  sealHint:
    "The SHA-256 of the zip, which any tool makes of it. Send it by another way than the zip: who has both can prove that nothing in it was changed, the page and the spreadsheet included.",
  copySeal: "Copy seal",
  copiedSeal: "Copied the seal.",
  verify: "To check it",
};

export type Words = typeof en;

const anrufe = (count: number) => `${showNumber(count)} ${count === 1 ? "Anruf" : "Anrufe"}`;
const dateien = (count: number) => `${showNumber(count)} ${count === 1 ? "Datei" : "Dateien"}`;

const GERMAN: FoundTerms = {
  calls: anrufe,
  legs: (count) => `${showNumber(count)} ${count === 1 ? "Abschnitt" : "Abschnitte"}`,
  recordings: (count) => `${showNumber(count)} ${count === 1 ? "Aufnahme" : "Aufnahmen"}`,
  of: (some, all) => `${showNumber(some)} von ${all}`,
  leftOut: "Aufnahmen weggelassen",
  none: (count) => `${anrufe(count)} ${count === 1 ? "hat" : "haben"} keine im Archiv`,
};

const de: Words = {
  title: "Übergeben",
  what: "Eine Zip-Datei: die Anrufe mit ihren Dateien, eine Seite zum Lesen und Hören, eine Tabelle, und was beweist, dass nichts verändert wurde.",
  reading: (done, total) =>
    total === undefined
      ? `Anrufe werden gesucht: ${showNumber(done)}`
      : `Anrufe werden gesucht: ${showNumber(done)} von ${showNumber(total)}`,
  weighing: (done, total) =>
    `Aufnahmen werden zusammengezählt: ${showNumber(done)} von ${showNumber(total)}`,
  found: GERMAN,
  content: (listing) => contentText(listing, GERMAN),
  nothing:
    "Es gibt keine Anrufe zum Übergeben. Das Archiv hat sich vielleicht geändert: Wiederholen Sie die Suche.",
  include: "Dateien",
  recordings: "Aufnahmen",
  transcripts: "Transkripte",
  mask: "Felder unkenntlich machen",
  maskedCount: (count) => (count === 0 ? "keine" : showNumber(count)),
  maskHint:
    "Endgültig, auch wo andere Felder und Transkripte den Wert in irgendeiner Schreibweise wiederholen. Was bleibt: was in Aufnahmen gesagt wird, und anderswo einzelne Zeichen und Zahlen mit weniger als vier Ziffern.",
  searchedBy: "Die Suche steht im Bericht und würde verraten, was unkenntlich ist.",
  isRecorded: "Anhören und Herunterladen wird unter Ihrem Namen protokolliert.",
  noViewer: (most) =>
    `Mit mehr als ${showNumber(most)} Anrufen hat eine Übergabe keine Seite zum Lesen und Hören. Die Tabelle führt sie auf.`,
  inMemory: (most) =>
    `Dieser Browser hält die Zip-Datei im Speicher, bis sie fertig ist: höchstens ${showBytes(most)}.`,
  tooLargeForMemory: (bytes, most) =>
    `Dieser Browser hält eine Zip-Datei im Speicher, höchstens ${showBytes(most)}, und diese hätte ${showBytes(bytes)}. Nehmen Sie Chrome oder Edge, wählen Sie weniger Anrufe, oder nehmen Sie die Kommandozeile.`,
  tooLarge: (bytes, count) =>
    `Eine Zip-Datei fasst 4 GB und 65.000 Dateien, und diese hätte ${showBytes(bytes)} und ${dateien(count)}. Wählen Sie weniger Anrufe, oder exportieren Sie einen Ordner mit der Kommandozeile.`,
  grewTooLarge: "Die Übergabe wurde größer, als eine Zip-Datei sein kann. Nichts wurde behalten.",
  save: "Übergabe speichern",
  stop: "Anhalten",
  done: "Schließen",
  again: "Noch einmal",
  command: "Dasselbe auf der Kommandozeile",
  copyCommand: "Befehl kopieren",
  copiedCommand: "Der Befehl ist kopiert.",
  writing: (done, total) => `${showNumber(done)} von ${anrufe(total)}`,
  received: (bytes) => `${showBytes(bytes)} empfangen`,
  notReceived: (count) => `${dateien(count)} nicht empfangen`,
  finishing: "Tabelle und Seite werden geschrieben …",
  stopped: "Angehalten. Nichts wurde behalten.",
  saved: (name, bytes) => `${name} ist gespeichert: ${showBytes(bytes)}.`,
  complete: (found) => `Vollständig: ${found}.`,
  incomplete: (found, { missing, hasDrifted }) =>
    [
      `Unvollständig: ${found}.`,
      hasDrifted && "Das Archiv hat sich beim Lesen geändert, so dass Anrufe fehlen können.",
      missing > 0 && `${dateien(missing)} nicht empfangen:`,
    ]
      .filter(Boolean)
      .join(" "),
  notFound: (asked, ids) =>
    `${showNumber(ids.length)} von ${anrufe(asked)}, die Sie gewählt haben, nicht wieder gefunden: ${ids.join(", ")}`,
  toMute: (places) =>
    `${showNumber(places)} stumme ${places === 1 ? "Stelle" : "Stellen"}, mit ${places === 1 ? "ihren" : "allen"} Worten`,
  unheard: (some, all) => `${showNumber(some)} von ${showNumber(all)} noch nicht angehört.`,
  muteHint:
    "WAV und MP3 bleiben, was sie sind. Opus, M4A, WebM und FLAC werden hier dekodiert und zu WAV. Eine Aufnahme, die sich nicht stumm schalten lässt, wird weggelassen.",
  muted: (recordings, places, seconds) =>
    `Stumm: ${showNumber(places)} ${places === 1 ? "Stelle" : "Stellen"} in ${GERMAN.recordings(recordings)}, ${showNumber(seconds)} Sekunden.`,
  notMuted: (names) => `Nicht gefunden, also nicht stumm: ${names.join(", ")}`,
  failures: {
    missing: "fehlt im Archiv",
    refused: "verweigert",
    damaged: "beschädigt: Die Bytes sind nicht die, die das Archiv ankündigt",
    failed: "nicht empfangen",
  },
  recording: (part, id) => `Aufnahme ${part} von ${id}`,
  transcript: (id) => `Transkript von ${id}`,
  andMore: (count) => `und ${showNumber(count)} weitere`,
  seal: "Siegel",
  sealHint:
    "Der SHA-256 der Zip-Datei, den jedes Werkzeug aus ihr bildet. Schicken Sie es auf einem anderen Weg als die Zip-Datei: Wer beides hat, kann beweisen, dass nichts darin verändert wurde, auch Seite und Tabelle nicht.",
  copySeal: "Siegel kopieren",
  copiedSeal: "Das Siegel ist kopiert.",
  verify: "Zum Prüfen",
};

const WORDS: Readonly<Record<Language, Words>> = { en, de };

export const words = (): Words => WORDS[language.value];
