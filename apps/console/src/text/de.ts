// Every sentence of the page in German.
import type { FaultKind } from "../faults.ts";
import { DE_LABELS } from "@call-media/handover";
import type { Group } from "../fields.ts";
import { toCounters } from "./counters.ts";
import type { Comparison } from "@call-media/conditions";
import type { Sentences, Text } from "./en.ts";

const { count, number } = toCounters("de");

const FAULTS: Record<FaultKind, Sentences> = {
  unreachable: {
    title: "Das Archiv ist nicht zu erreichen.",
    hint: "Prüfen Sie die Verbindung und versuchen Sie es noch einmal.",
  },
  "no-cookie": {
    title: "Dieser Browser hat die Sitzung nicht behalten.",
    hint: "Erlauben Sie Cookies für diese Adresse und melden Sie sich noch einmal an.",
  },
  refused: { title: "Ihre Sitzung ist zu Ende.", hint: "Melden Sie sich an, um fortzufahren." },
  "too-many": {
    title: "Zu viele Anfragen.",
    hint: "Warten Sie einen Moment und versuchen Sie es noch einmal.",
  },
  "admin-named": {
    title: "Administratoren werden nicht durch das Netz angemeldet.",
    hint: "Verwenden Sie einen API-Schlüssel, oder secretID und secretKey.",
  },
  forbidden: {
    title: "Dazu fehlt Ihnen das Recht.",
    hint: "Ihr Betreiber kann es Ihnen geben.",
  },
  "not-own-page": {
    title: "Das Archiv erkennt diese Seite nicht als seine eigene.",
    hint: "Öffnen Sie die Konsole unter der Adresse des Archivs, in einem eigenen Tab. Hilft das nicht, sagen Sie es Ihrem Betreiber: Ein Proxy ändert vielleicht die Kopfzeilen Origin oder Sec-Fetch-Site.",
  },
  missing: {
    title: "Hier ist nichts, was Sie sehen dürfen.",
    hint: "Es existiert nicht, oder Ihnen fehlt das Recht dazu.",
  },
  "no-words": {
    title: "Dieses Archiv sucht nicht nach Wörtern.",
    hint: "Nehmen Sie die Filter, oder exportieren Sie die Anrufe und suchen Sie dort.",
  },
  invalid: { title: "Das Archiv nimmt diese Suche nicht an.", hint: "Ändern Sie die Filter." },
  unavailable: {
    title: "Das Archiv kann gerade nicht antworten.",
    hint: "Versuchen Sie es noch einmal; bleibt es so, sagen Sie es Ihrem Betreiber.",
  },
  "not-the-service": {
    title: "Was hier antwortet, ist kein Call-Media-Dienst oder ist gestört.",
    hint: "Sagen Sie es Ihrem Betreiber.",
  },
  unknown: { title: "Etwas ist schiefgegangen.", hint: "Laden Sie die Seite neu." },
};

const GROUP_LABELS: Record<Group, string> = {
  call: "Anruf",
  customer: "Kunde",
  agent: "Agent",
  numbers: "Zahlen",
  custom: "Eigene Felder",
  rights: "Rechte",
  ids: "Kennungen",
  content: "Inhalt",
};

const COMPARISON_LABELS: Record<Comparison, string> = {
  "~": "enthält",
  "==": "ist",
  "!=": "ist nicht",
  ">": "mehr als",
  "<": "weniger als",
  ">=": "mindestens",
  "<=": "höchstens",
};

export const de: Text = {
  product: "Call Media",
  skip: "Zum Inhalt",
  close: "Schließen",
  tryAgain: "Noch einmal",
  notCopied: "Dieser Browser lässt die Seite nicht an die Zwischenablage.",
  faults: FAULTS,
  serviceSays: "Es sagt:",
  quote: (requestId) => `Nennen Sie die Anfrage ${requestId}.`,
  againIn: (seconds) => `Noch einmal in ${number.format(seconds)} s.`,
  fields: DE_LABELS,
  groups: GROUP_LABELS,
  comparisons: COMPARISON_LABELS,
  customer: "Kunde",
  nobody: "Kein Name",

  serviceAt: "Das Archiv ist unter",

  findWords: "Wörter, Namen, Nummern oder ein Anruf",
  findWordsHint:
    "Alles davon, in beliebiger Folge: Gesagtes oder Notiertes, Namen, das Ende einer Telefonnummer oder die Kennung eines Anrufs. „vorzeitige Kündigung“ in Anführungszeichen steht beisammen; Erstatt* beginnt ein Wort.",
  wordsFault: (fault) => `Danach lässt sich nicht suchen: ${fault}.`,
  inChat: "Im Chat: öffnen Sie den Anruf, um ihn zu lesen.",
  inChatUnread: "Im Chat, den Sie nicht lesen dürfen.",
  docs: "Doku",
  administrator: "Administrator",
  account: (name) => `Konto ${name}`,
  departures: (value) => count(value, "unerwartete Antwort", "unerwartete Antworten"),
  departuresHint: "Antworten dieses Dienstes weichen von seinem Vertrag ab",

  calls: "Anrufe",
  callCount: (value) => count(value, "Anruf", "Anrufe"),
  legCount: (value) => count(value, "Abschnitt", "Abschnitte"),
  ofLegs: (value, total) =>
    `${number.format(value)} von ${count(total, "Abschnitt", "Abschnitten")}`,
  searching: "Suche …",
  lastDays: (value) => (value === 1 ? "Heute" : `Letzte ${value} Tage`),
  allDays: "Alle Tage",
  periods: {
    yesterday: "Gestern",
    "this-week": "Diese Woche",
    "last-week": "Letzte Woche",
    "this-month": "Dieser Monat",
    "last-month": "Letzter Monat",
    "this-quarter": "Dieses Quartal",
    "last-quarter": "Letztes Quartal",
  },
  days: "Tage",
  fromDay: "Von",
  toDay: "Bis",
  apply: "Anwenden",
  inZone: (name) => `Tage in der Zeit des Archivs, ${name}`,
  zoneUnknown: "Tage in der Zeit des Archivs",
  filters: "Filter",
  addFilter: "Filtern",
  nothingIn: "ist leer",
  somethingIn: "ist nicht leer",
  or: "oder",
  tooManyListed: (values, most) =>
    `Das sind ${number.format(values)} Kennungen: höchstens ${number.format(most)} auf einmal.`,
  orMore: (time) => `ab ${time}`,
  orLess: (time) => `bis ${time}`,
  oneOf: (values) => `${number.format(values)} einer Liste`,
  notThere: (found, missing) =>
    `${number.format(found)} gefunden, ${number.format(missing.length)} nicht da: ${missing.join(", ")}`,
  checkedHere: "Diese Seite liest alle Anrufe der Suche und prüft es selbst.",
  remove: (what) => `${what} entfernen`,
  complete: (total) =>
    `Alle ${number.format(total)} sind hier, jeder einmal; das Archiv hat sich nicht geändert.`,
  allHere: "Alle da",
  partHere: (loaded, total) => `${number.format(loaded)} von ${number.format(total)} da`,
  changed: "Inzwischen geändert",
  partly: "Der Rest kommt beim Blättern.",
  changedMeanwhile:
    "Das Archiv hat sich währenddessen geändert: Anrufe können fehlen oder doppelt sein.",
  loadAll: "Alle laden",
  stop: "Anhalten",
  repeat: "Suche wiederholen",
  counts: "Auszählen",
  countCalls: "Anrufe zählen",
  readAll: (legs) => `Alle ${number.format(legs)} lesen`,
  readAllHint: "Lesen, was in diesen Anrufen gesagt wurde, einer unter dem anderen",
  columns: "Spalten",
  views: "Ansichten",
  sortBy: (field) => `Nach ${field} ordnen`,
  tooManyToSort: (most) =>
    `Nur bis zu ${number.format(most)} Anrufe lassen sich anders ordnen. Grenzen Sie die Suche ein.`,
  selectAll: "Alle geladenen auswählen",
  select: (who) => `${who} auswählen`,
  play: "Abspielen",
  playCall: (who) => `${who} abspielen`,
  pauseCall: (who) => `${who} anhalten`,
  recordingCount: (value) => count(value, "Aufnahme", "Aufnahmen"),
  noZone: "ohne Zeitzone aufgezeichnet",
  noTime: "Keine Zeit",
  recordingColumn: "Aufnahme",
  notLoaded: "Nicht geladen",
  handOver: "Übergeben",

  hits: (place, total) => `${place} von ${total}`,
  noHits: "nichts",
  previousHit: "Voriger Treffer",
  nextHit: "Nächster Treffer",

  pause: "Anhalten",
  noRecording: "Dieser Anruf hat keine Aufnahme.",

  unknownPage: "Diese Seite gibt es nicht",
  unreadable: "Ein Teil dieser Adresse ist nicht lesbar",
  column: (column) => `Spalte ${column}`,
  openWithout: "Ohne ihn öffnen",
  toSearch: "Zur Suche",
};
