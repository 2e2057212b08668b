// Searching by words, an extension (D30): what a service that claims to apply `words` must do with them.
import { of, SEARCHES } from "./requirement.ts";

export const words = of(SEARCHES, "D30", {
  "words.applied":
    "An answer says Preference-Applied: words if words was asked for and preferred, and only then. Both searches apply words and vary by Prefer.",
  "words.alone": "With words no filter is needed.",
  "words.every":
    "Exactly the records that have every word are found, in whatever order the words stand.",
  "words.fields":
    "Transcripts, notes, disposition notes, names and telephone numbers are all searched.",
  "words.chat": "A word of a chat finds the records of its call.",
  "words.case": "Letter case makes no difference.",
  "words.accents": "Accents make no difference, in the words or in the record.",
  "words.whole": "A part of a word finds nothing.",
  "words.unspaced": "Any part of a text is found in scripts without spaces between words.",
  "words.beginning": "ref* finds the words that begin with it, and no others.",
  "words.phrase":
    "A phrase is found where its words follow each other in one text, and nowhere else.",
  "words.number":
    "Four digits or more find the numbers that end with them, whatever country code and separators are written.",
  "words.filter": "A record has to fit the words and the filter.",
  "words.days": "Words find records of the days that are asked for, and no others.",
  "words.count": "Counts are of the records that the words find.",
  "words.pages":
    "The pages and the link to the next one are those of the records that the words find.",
  "words.rights": "A record that may not be seen is neither found nor counted by its words.",
  "words.refused": "Words that cannot be read are answered 400, and the sentence names words.",
});

export type WordsId = keyof typeof words;
