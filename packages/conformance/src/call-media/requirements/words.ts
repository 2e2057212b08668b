// Searching by words, an extension (D30): what a service that claims to apply `words` must do with them.
import { type Requirements, SEARCHES } from "./requirement.ts";

const D30 = { operations: SEARCHES, source: { decision: "D30" } } as const;

export const words = {
  "words.applied": {
    ...D30,
    says: "An answer says Preference-Applied: words if words was asked for and preferred, and only then. Both searches apply words and vary by Prefer.",
  },
  "words.alone": { ...D30, says: "With words no filter is needed." },
  "words.every": {
    ...D30,
    says: "Exactly the records that have every word are found, in whatever order the words stand.",
  },
  "words.fields": {
    ...D30,
    says: "Transcripts, notes, disposition notes, names and telephone numbers are all searched.",
  },
  "words.chat": { ...D30, says: "A word of a chat finds the records of its call." },
  "words.case": { ...D30, says: "Letter case makes no difference." },
  "words.accents": { ...D30, says: "Accents make no difference, in the words or in the record." },
  "words.whole": { ...D30, says: "A part of a word finds nothing." },
  "words.unspaced": {
    ...D30,
    says: "Any part of a text is found in scripts without spaces between words.",
  },
  "words.beginning": { ...D30, says: "ref* finds the words that begin with it, and no others." },
  "words.phrase": {
    ...D30,
    says: "A phrase is found where its words follow each other in one text, and nowhere else.",
  },
  "words.number": {
    ...D30,
    says: "Four digits or more find the numbers that end with them, whatever country code and separators are written.",
  },
  "words.filter": { ...D30, says: "A record has to fit the words and the filter." },
  "words.days": {
    ...D30,
    says: "Words find records of the days that are asked for, and no others.",
  },
  "words.count": { ...D30, says: "Counts are of the records that the words find." },
  "words.pages": {
    ...D30,
    says: "The pages and the link to the next one are those of the records that the words find.",
  },
  "words.rights": {
    ...D30,
    says: "A record that may not be seen is neither found nor counted by its words.",
  },
  "words.refused": {
    ...D30,
    says: "Words that cannot be read are answered 400, and the sentence names words.",
  },
} as const satisfies Requirements;

export type WordsId = keyof typeof words;
