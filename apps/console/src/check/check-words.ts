// The sentences of the page that compares a hand-over with its seal, in both languages.
import { toTerms } from "../hand-over/words.ts";
import { type Language, language, showNumber } from "../text/text.ts";

const en = {
  title: "Compare a hand-over with its seal",
  hint: "Drop the zip here, and paste the seal that its sender gave you by another way. The file stays on this computer: nothing is sent, and nobody signs in.",
  file: "Hand-over (zip)",
  seal: "Seal",
  sealExample: "64 digits",
  reading: (name: string) => `Reading ${name}`,
  unreadable: (name: string) => `${name} cannot be read. Is it still there?`,
  verdict: "Result",
  same: "The same: not one byte was changed.",
  other:
    "Not the same: this is not the file that the seal was made of, or it was changed. Ask the sender for both once more.",
  noSeal: "Paste the seal to compare.",
  notASeal:
    "A seal has 64 digits, 0 to 9 and a to f. One is missing, or there is more than one seal.",
  digest: (name: string, size: string) => `SHA-256 of ${name}, ${size}:`,
  notAHandOver: "This file is not a hand-over, or is damaged.",
  inIt: "What is in it, by its own account",
  verdicts: {
    complete: "Complete",
    incomplete: "Incomplete",
    empty: "Empty",
  } as Readonly<Record<string, string>>,
  of: (from: string, to: string) => `${from} to ${to}, of`,
  purpose: "For:",
  andMore: (count: number) => `and ${showNumber(count)} more`,
};

const de: typeof en = {
  title: "Eine Übergabe mit ihrem Siegel vergleichen",
  hint: "Ziehen Sie die Zip-Datei hierher, und fügen Sie das Siegel ein, das Sie auf anderem Weg bekommen haben. Die Datei bleibt auf diesem Rechner: Nichts wird gesendet, und niemand meldet sich an.",
  file: "Übergabe (Zip)",
  seal: "Siegel",
  sealExample: "64 Ziffern",
  reading: (name) => `${name} wird gelesen`,
  unreadable: (name) => `${name} lässt sich nicht lesen. Gibt es sie noch?`,
  verdict: "Ergebnis",
  same: "Dasselbe: Kein Byte wurde verändert.",
  other:
    "Nicht dasselbe: Das ist nicht die Datei, aus der das Siegel gebildet wurde, oder sie wurde verändert. Bitten Sie noch einmal um beides.",
  noSeal: "Fügen Sie das Siegel ein, um zu vergleichen.",
  notASeal:
    "Ein Siegel hat 64 Ziffern, 0 bis 9 und a bis f. Eine fehlt, oder es ist mehr als ein Siegel.",
  digest: (name, size) => `SHA-256 von ${name}, ${size}:`,
  notAHandOver: "Diese Datei ist keine Übergabe, oder sie ist beschädigt.",
  inIt: "Was darin ist, nach eigener Angabe",
  verdicts: { complete: "Vollständig", incomplete: "Unvollständig", empty: "Leer" },
  of: (from, to) => `${from} bis ${to}, von`,
  purpose: "Wofür:",
  andMore: (count) => `und ${showNumber(count)} weitere`,
};

const WORDS: Readonly<Record<Language, typeof en>> = { en, de };

export const checkWords = () => ({
  ...WORDS[language.value],
  found: toTerms(language.value, showNumber),
});
