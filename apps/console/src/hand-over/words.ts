// The words of a hand-over in both languages, loaded with it.
import type { Failure, FoundTerms } from "@call-media/handover";
import type { FindingKind } from "@call-media/sound";
import type { Changes } from "./changes.ts";
import { type Language, language, showBytes, showNumber } from "../text/text.ts";

type Show = (value: number) => string;

const toEnglishTerms = (show: Show): FoundTerms => {
  const calls = (count: number) => `${show(count)} ${count === 1 ? "call" : "calls"}`;
  return {
    calls,
    legs: (count) => `${show(count)} ${count === 1 ? "leg" : "legs"}`,
    recordings: (count) => `${show(count)} ${count === 1 ? "recording" : "recordings"}`,
    of: (some, all) => `${show(some)} of ${all}`,
    leftOut: "recordings left out",
    none: (count) => `${calls(count)} ${count === 1 ? "has" : "have"} none in the archive`,
  };
};

const toGermanTerms = (show: Show): FoundTerms => {
  const calls = (count: number) => `${show(count)} ${count === 1 ? "Anruf" : "Anrufe"}`;
  return {
    calls,
    legs: (count) => `${show(count)} ${count === 1 ? "Abschnitt" : "Abschnitte"}`,
    recordings: (count) => `${show(count)} ${count === 1 ? "Aufnahme" : "Aufnahmen"}`,
    of: (some, all) => `${show(some)} von ${all}`,
    leftOut: "Aufnahmen weggelassen",
    none: (count) => `${calls(count)} ${count === 1 ? "hat" : "haben"} keine im Archiv`,
  };
};

/** `show` writes the numbers. */
export const toTerms = (wanted: Language, show: Show): FoundTerms =>
  wanted === "de" ? toGermanTerms(show) : toEnglishTerms(show);

const ENGLISH = toEnglishTerms(showNumber);
const { calls } = ENGLISH;

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

/** The words for legs that are gone, new and changed, and for a number instead of another. */
type ChangeWords = readonly [gone: string, come: string, changed: string, instead: string];

function listChanges(
  { gone, come, changed, recordings: { were, are } }: Changes,
  [goneWord, newWord, changedWord, instead]: ChangeWords,
  { legs, recordings }: FoundTerms,
): string {
  const parts = [
    gone > 0 && `${legs(gone)} ${goneWord}`,
    come > 0 && `${legs(come)} ${newWord}`,
    changed > 0 && `${legs(changed)} ${changedWord}`,
    were !== are && `${recordings(are)} ${instead} ${showNumber(were)}`,
  ];
  return parts.filter(Boolean).join(", ");
}

const en = {
  title: (count: number) => `Hand over ${calls(count)}`,
  preparing: "Hand over",
  done: "Handed over",
  goesAlong: "What goes along",
  along: "Goes along",
  lacks: "Does not, and why",
  callsRow: "Calls",
  recordings: "Recordings",
  transcripts: "Transcripts, chats",
  nothingMissing: (announced: number, came: number) =>
    `nothing is missing: ${showNumber(announced)} announced, ${showNumber(came)} came`,
  unannounced: (came: number) =>
    `${showNumber(came)} came; the archive does not say how many there are`,
  drifted: "The archive changed while it was read: calls may be missing.",
  notMatching: (legs: number) =>
    `${ENGLISH.legs(legs)} of these days ${legs === 1 ? "does" : "do"} not match the conditions`,
  leftOut: (ids: readonly string[], legs: number) =>
    `left out by hand: ${ids.join(", ")} (${ENGLISH.legs(legs)})`,
  lacking: {
    missing: (count: number) => `${showNumber(count)} missing: the archive names what it has not`,
    refused: (count: number) =>
      `${showNumber(count)} refused: you may not listen to ${count === 1 ? "it" : "them"}`,
    damaged: (count: number) => `${showNumber(count)} damaged`,
    failed: (count: number) => `${showNumber(count)} could not be asked for`,
  },
  leaveOut: (count: number): string =>
    count === 1 ? "Leave that call out" : "Leave these calls out",
  unrecorded: (count: number) =>
    `${calls(count)} ${count === 1 ? "has" : "have"} none in the archive`,
  written: (count: number) => `${showNumber(count)} written: chat or e-mail`,
  unanswered: (count: number) => `${showNumber(count)} without talk`,
  talked: (count: number) =>
    `${showNumber(count)} ${count === 1 ? "was" : "were"} not recorded, or the recording is elsewhere`,
  withText: (legs: number) => `${ENGLISH.legs(legs)} with text`,
  chatsLater: "Chats are found as they are read.",
  leftOutKind: "left out",
  leftOutForMasks: "Left out, as people say names: tick them to hand them over all the same.",
  hide: "Hide",
  hideHint: "wherever these calls repeat it, in any spelling",
  groups: {
    name: "Customer’s name",
    telephone: "Telephone numbers",
    address: "E-mail and address",
    agent: "Agent",
  },
  otherFields: (count: number) =>
    count === 0 ? "Other fields" : `Other fields: ${showNumber(count)}`,
  hiddenIn: (places: number) =>
    `Hidden in ${showNumber(places)} ${places === 1 ? "place" : "places"}.`,
  left: "Left:",
  leftIn: (field: string) => `(${field})`,
  timesLeft: (legs: number) =>
    `The date and time of ${ENGLISH.legs(legs)} repeats a hidden value: it stays, as days are folders.`,
  leftMore: (count: number) => `and ${showNumber(count)} more`,
  mute: "Mute",
  muteNothing: "Nothing is muted. Places are muted at a call.",
  look: (count: number) =>
    `Look for card numbers: reads ${count === 1 ? "1 chat" : `${showNumber(count)} chats`}`,
  looked: (found: number) =>
    found === 0
      ? "No card number was found in the chats."
      : `${showNumber(found)} ${found === 1 ? "place" : "places"} where a card number seems to be said.`,
  noTimes: (count: number) =>
    `${ENGLISH.recordings(count)} without times: nothing can be proposed. Listen and mark.`,
  untimed: (count: number) =>
    `${showNumber(count)} more card ${count === 1 ? "number has" : "numbers have"} no time.`,
  chatsRefused: (count: number) =>
    `${showNumber(count)} ${count === 1 ? "chat" : "chats"} you may not read.`,
  send: "What you send",
  allThere: "Nothing is missing.",
  isIncomplete: "Incomplete:",
  page: "a page to read and hear the calls offline, a spreadsheet, the files",
  noPage: "a spreadsheet, the files",
  about: (name: string, bytes: number) => `${name}, about ${showBytes(bytes)}:`,
  hiddenKinds: (count: number) =>
    `${showNumber(count)} ${count === 1 ? "field is" : "fields are"} hidden for good. The archive keeps them.`,
  purpose: "For",
  purposeHint:
    "One line, such as a case. It stands in the hand-over, and beside your name in the access log.",
  purposeExample: "Legal, case 2026-118",
  reading: (done: number, total: number | undefined) =>
    total === undefined
      ? `Looking for the calls: ${showNumber(done)}`
      : `Looking for the calls: ${showNumber(done)} of ${showNumber(total)}`,
  weighing: (done: number, total: number) =>
    `Adding up the recordings: ${showNumber(done)} of ${showNumber(total)}`,
  found: ENGLISH,
  changes: (changes: Changes) =>
    `Changed since you looked: ${listChanges(changes, ["gone", "new", "changed", "instead of"], ENGLISH)}. Nothing was written: look again.`,
  allLeftOut: "All of the calls were left out by hand. Select others in the list.",
  nothing: "There are no calls to hand over. The archive may have changed: repeat the search.",
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
  stop: "Stop",
  again: "Again",
  copyCommand: "Copy as command",
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
  soundFaults: {
    truncated: "cut short",
    malformed: "not readable",
    "no-samples": "a header alone",
    silent: "silent",
    "channel-silent": "silent on one side",
    "not-sound": "not audio",
  } as Readonly<Partial<Record<FindingKind, string>>>,
  faultySound: (found: string) => `Recordings with faults: ${found}. The spreadsheet names them.`,
  failures: FAILURES,
  recording: (part: number | null, id: string) => `recording ${part} of ${id}`,
  transcript: (id: string) => `transcript of ${id}`,
  andMore: (count: number) => `and ${showNumber(count)} more`,
  seal: "Seal",
  sealHint:
    "The SHA-256 of the file itself, so that it covers all of it: page, spreadsheet, recordings, report. Send it by another way than the file.",
  copySeal: "Copy seal with a sentence",
  sealSentence: (name: string, seal: string) => `The seal (SHA-256) of ${name}: ${seal}`,
  copiedSeal: "Copied the seal.",
  mail: "Mail",
  mailHint: "for whom you send it to",
  mailLanguage: "Language of the mail",
  copyMail: "Copy mail",
  copiedMail: "Copied the mail.",
  inIt: "What is in it",
  verified: (count: number, isMuted: boolean) =>
    `${ENGLISH.recordings(count)}: each byte as the archive announces it${isMuted ? ", before muting" : ""}.`,
  checkHere: "Compare the file with its seal",
  back: (count: number) => `Back to the ${calls(count)}`,
  verifyCommand: "Copy the command that checks every file",
};

export type Words = typeof en;

const GERMAN = toGermanTerms(showNumber);
const { calls: anrufe } = GERMAN;

const dateien = (count: number) => `${showNumber(count)} ${count === 1 ? "Datei" : "Dateien"}`;

const de: Words = {
  title: (count) => `${anrufe(count)} übergeben`,
  preparing: "Übergeben",
  done: "Übergeben",
  goesAlong: "Was mitgeht",
  along: "Geht mit",
  lacks: "Geht nicht mit, und warum",
  callsRow: "Anrufe",
  recordings: "Aufnahmen",
  transcripts: "Transkripte, Chats",
  nothingMissing: (announced, came) =>
    `nichts fehlt: ${showNumber(announced)} angekündigt, ${showNumber(came)} gekommen`,
  unannounced: (came) => `${showNumber(came)} gekommen; das Archiv sagt nicht, wie viele es gibt`,
  drifted: "Das Archiv hat sich beim Lesen geändert: Anrufe können fehlen.",
  notMatching: (legs) =>
    `${GERMAN.legs(legs)} dieser Tage ${legs === 1 ? "erfüllt" : "erfüllen"} die Bedingungen nicht`,
  leftOut: (ids, legs) => `von Hand weggelassen: ${ids.join(", ")} (${GERMAN.legs(legs)})`,
  lacking: {
    missing: (count) => `${showNumber(count)} fehlt: Das Archiv nennt, was es nicht hat`,
    refused: (count) => `${showNumber(count)} verweigert: Sie dürfen sie nicht anhören`,
    damaged: (count) => `${showNumber(count)} beschädigt`,
    failed: (count) => `nach ${showNumber(count)} ließ sich nicht fragen`,
  },
  leaveOut: (count) => (count === 1 ? "Diesen Anruf weglassen" : "Diese Anrufe weglassen"),
  unrecorded: (count) => `${anrufe(count)} ${count === 1 ? "hat" : "haben"} keine im Archiv`,
  written: (count) => `${showNumber(count)} geschrieben: Chat oder E-Mail`,
  unanswered: (count) => `${showNumber(count)} ohne Gespräch`,
  talked: (count) => `${showNumber(count)} nicht aufgenommen, oder die Aufnahme liegt anderswo`,
  withText: (legs) => `${GERMAN.legs(legs)} mit Text`,
  chatsLater: "Chats finden sich beim Lesen.",
  leftOutKind: "weggelassen",
  leftOutForMasks: "Weggelassen, denn Menschen sagen Namen: Ankreuzen übergibt sie trotzdem.",
  hide: "Unkenntlich machen",
  hideHint: "wo immer diese Anrufe es wiederholen, in jeder Schreibweise",
  groups: {
    name: "Name des Kunden",
    telephone: "Telefonnummern",
    address: "E-Mail und Anschrift",
    agent: "Agent",
  },
  otherFields: (count) => (count === 0 ? "Andere Felder" : `Andere Felder: ${showNumber(count)}`),
  hiddenIn: (places) =>
    `Unkenntlich an ${showNumber(places)} ${places === 1 ? "Stelle" : "Stellen"}.`,
  left: "Übrig:",
  leftIn: (field) => `(${field})`,
  timesLeft: (legs) =>
    `Datum und Uhrzeit von ${GERMAN.legs(legs)} wiederholen etwas Unkenntliches: Sie bleiben, denn Tage sind Ordner.`,
  leftMore: (count) => `und ${showNumber(count)} weitere`,
  mute: "Stumm schalten",
  muteNothing: "Nichts ist stumm. Stellen werden beim Anruf stumm geschaltet.",
  look: (count) =>
    `Kartennummern suchen: liest ${count === 1 ? "1 Chat" : `${showNumber(count)} Chats`}`,
  looked: (found) =>
    found === 0
      ? "In den Chats fand sich keine Kartennummer."
      : `${showNumber(found)} ${found === 1 ? "Stelle" : "Stellen"}, wo eine Kartennummer gesagt zu werden scheint.`,
  noTimes: (count) =>
    `${GERMAN.recordings(count)} ohne Zeiten: Es lässt sich nichts vorschlagen. Hören und markieren Sie.`,
  untimed: (count) => `${showNumber(count)} weitere Kartennummern haben keine Zeit.`,
  chatsRefused: (count) =>
    `${showNumber(count)} ${count === 1 ? "Chat dürfen" : "Chats dürfen"} Sie nicht lesen.`,
  send: "Was Sie schicken",
  allThere: "Nichts fehlt.",
  isIncomplete: "Unvollständig:",
  page: "eine Seite zum Lesen und Hören ohne Netz, eine Tabelle, die Dateien",
  noPage: "eine Tabelle, die Dateien",
  about: (name, bytes) => `${name}, etwa ${showBytes(bytes)}:`,
  hiddenKinds: (count) =>
    `${showNumber(count)} ${count === 1 ? "Feld ist" : "Felder sind"} endgültig unkenntlich. Das Archiv behält sie.`,
  purpose: "Wofür",
  purposeHint:
    "Eine Zeile, etwa ein Fall. Sie steht in der Übergabe, und im Zugriffsprotokoll neben Ihrem Namen.",
  purposeExample: "Recht, Fall 2026-118",
  reading: (done, total) =>
    total === undefined
      ? `Anrufe werden gesucht: ${showNumber(done)}`
      : `Anrufe werden gesucht: ${showNumber(done)} von ${showNumber(total)}`,
  weighing: (done, total) =>
    `Aufnahmen werden zusammengezählt: ${showNumber(done)} von ${showNumber(total)}`,
  found: GERMAN,
  changes: (changes) =>
    `Geändert, seit Sie es sahen: ${listChanges(changes, ["weg", "neu", "geändert", "statt"], GERMAN)}. Nichts wurde geschrieben: Sehen Sie noch einmal hin.`,
  allLeftOut: "Alle Anrufe wurden von Hand weggelassen. Wählen Sie in der Liste andere.",
  nothing:
    "Es gibt keine Anrufe zum Übergeben. Das Archiv hat sich vielleicht geändert: Wiederholen Sie die Suche.",
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
  stop: "Anhalten",
  again: "Noch einmal",
  copyCommand: "Als Befehl kopieren",
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
  soundFaults: {
    truncated: "abgeschnitten",
    malformed: "nicht lesbar",
    "no-samples": "nur ein Kopf",
    silent: "still",
    "channel-silent": "auf einer Seite still",
    "not-sound": "keine Tonaufnahme",
  },
  faultySound: (found) => `Aufnahmen mit Mängeln: ${found}. Die Tabelle nennt sie.`,
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
    "Der SHA-256 der Datei selbst, deckt also alles: Seite, Tabelle, Aufnahmen, Bericht. Schicken Sie es auf einem anderen Weg als die Datei.",
  copySeal: "Siegel mit einem Satz kopieren",
  sealSentence: (name, seal) => `Das Siegel (SHA-256) von ${name}: ${seal}`,
  copiedSeal: "Das Siegel ist kopiert.",
  mail: "Mail",
  mailHint: "an die, denen Sie es schicken",
  mailLanguage: "Sprache der Mail",
  copyMail: "Mail kopieren",
  copiedMail: "Die Mail ist kopiert.",
  inIt: "Was darin ist",
  verified: (count, isMuted) =>
    `${GERMAN.recordings(count)}: jedes Byte, wie das Archiv es ankündigt${isMuted ? ", vor dem Stummschalten" : ""}.`,
  checkHere: "Datei mit ihrem Siegel vergleichen",
  back: (count) => `Zurück zu ${count === 1 ? "dem Anruf" : `den ${showNumber(count)} Anrufen`}`,
  verifyCommand: "Befehl kopieren, der jede Datei prüft",
};

const WORDS: Readonly<Record<Language, Words>> = { en, de };

export const words = (): Words => WORDS[language.value];
