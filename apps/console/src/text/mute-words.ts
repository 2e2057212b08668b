// The sentences about muted places, which the first page does not load.
import { type Language, language } from "./text.ts";

const plural = (value: number, one: string, other: string) =>
  `${value} ${value === 1 ? one : other}`;

const en = {
  title: "Muted in hand-overs",
  hint: "Silence in what is handed over, and the words go with it. The archive keeps the recording, and Save saves it as it is.",
  muteAb: "Mute A to B",
  noAb: "First mark A with [ and B with ].",
  noNumber: "This recording has no number in its call, so that it cannot be muted.",
  muteLine: "Mute this line",
  isMuted: "muted in hand-overs",
  from: (place: number) => `Place ${place}: from second`,
  to: (place: number) => `Place ${place}: to second`,
  reason: (place: number) => `Place ${place}: why`,
  why: "Why (goes along)",
  play: (span: string) => `Play around ${span}`,
  heard: "listened to",
  notHeard: "not listened to",
  remove: (span: string) => `Do not mute ${span}`,
  card: "A card number seems to be said",
  mute: (span: string) => `Mute ${span}`,
  muted: "Mute",
  untimed: (count: number) =>
    `${plural(count, "card number has", "card numbers have")} no time in one recording: listen to all of it.`,
  isWrong: "Each place begins before it ends, within the recording.",
};

const de: typeof en = {
  title: "Stumm in Übergaben",
  hint: "Stille in dem, was übergeben wird, und die Worte gehen mit. Das Archiv behält die Aufnahme, und Speichern sichert sie unverändert.",
  muteAb: "A bis B stumm schalten",
  noAb: "Setzen Sie zuerst A mit [ und B mit ].",
  noNumber:
    "Diese Aufnahme hat keine Nummer in ihrem Anruf und lässt sich deshalb nicht stumm schalten.",
  muteLine: "Diese Zeile stumm schalten",
  isMuted: "stumm in Übergaben",
  from: (place) => `Stelle ${place}: ab Sekunde`,
  to: (place) => `Stelle ${place}: bis Sekunde`,
  reason: (place) => `Stelle ${place}: warum`,
  why: "Warum (wird mit übergeben)",
  play: (span) => `Um ${span} anhören`,
  heard: "angehört",
  notHeard: "nicht angehört",
  remove: (span) => `${span} nicht stumm schalten`,
  card: "Hier scheint eine Kartennummer gesagt zu werden",
  mute: (span) => `${span} stumm schalten`,
  muted: "Stumm schalten",
  untimed: (count) =>
    `${plural(count, "Kartennummer hat", "Kartennummern haben")} keine Zeit in einer einzigen Aufnahme: Hören Sie alles an.`,
  isWrong: "Jede Stelle beginnt vor ihrem Ende, innerhalb der Aufnahme.",
};

const WORDS: Readonly<Record<Language, typeof en>> = { en, de };

export const muteWords = (): typeof en => WORDS[language.value];
