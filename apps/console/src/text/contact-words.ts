// The sentences about the legs of a contact, which the first page does not load.
import { type Language, language, showNumber } from "./text.ts";

const en = {
  legs: "Legs of this contact",
  leg: (place: number) => `Leg ${showNumber(place)}`,
  of: (place: number, all: number) => `leg ${showNumber(place)} of ${showNumber(all)}`,
  noSound: "no sound",
  after: (time: string) => `${time} after`,
  overlaps: (time: string) => `${time} before the end`,
  undated: "start not recorded",
  notRecorded: "not recorded",
  play: (name: string, time: string) => `Play from here: ${name}, ${time}`,
  open: (name: string, time: string) => `Open: ${name}, ${time}`,
  others: "Other calls of this reference",
};

const de: typeof en = {
  legs: "Abschnitte dieses Kontakts",
  leg: (place) => `Abschnitt ${showNumber(place)}`,
  of: (place, all) => `Abschnitt ${showNumber(place)} von ${showNumber(all)}`,
  noSound: "kein Ton",
  after: (time) => `${time} später`,
  overlaps: (time) => `${time} vor dem Ende`,
  undated: "Beginn nicht aufgezeichnet",
  notRecorded: "nicht aufgezeichnet",
  play: (name, time) => `Ab hier anhören: ${name}, ${time}`,
  open: (name, time) => `Öffnen: ${name}, ${time}`,
  others: "Andere Anrufe dieser Referenz",
};

const WORDS: Readonly<Record<Language, typeof en>> = { en, de };

export const contactWords = (): typeof en => WORDS[language.value];
