// The sentences of the help, which the first page does not load.

/** Keys and their effect. */
export type Keys = readonly (readonly [keys: string, what: string])[];

const EN_LIST_KEYS: Keys = [
  ["J K ↓ ↑", "Next and previous row"],
  ["PgDn PgUp Home End", "By screen, to the ends"],
  ["Enter O", "Open the call"],
  ["Space", "Play the call here, pause"],
  ["X Shift+J", "Select, and go on"],
  ["/", "Search box"],
  ["F", "Add a filter"],
  ["V", "Read all of them in a row"],
  ["C", "Columns"],
  ["R", "Repeat the search"],
  ["Esc", "Close the player, select nothing"],
  ["?", "This page"],
];

const EN_CALL_KEYS: Keys = [
  ["Space", "Play, pause"],
  ["← →", "5 seconds; with Shift 1, with Alt 30"],
  ["N P", "Next and previous hit, else line"],
  [", . ;", "Slower, faster, usual speed"],
  ["[ ] \\", "Repeat from here, to here, no more"],
  ["H", "Mute that in hand-overs"],
  ["1 2 0", "Hear channel 1, 2, both"],
  ["M ↑ ↓", "Mute, louder, quieter"],
  ["S", "Skip silence"],
  ["L", "Copy the link to this second"],
  ["F /", "Find in the transcript"],
  ["Shift+J Shift+K", "Next and previous call"],
  ["U Esc", "Back to the results"],
];

const en = {
  aboutTitle: "Help and about",
  keyboard: "Keyboard",
  keysOfList: "In the list",
  keysOfCall: "On a call",

  listKeys: EN_LIST_KEYS,
  callKeys: EN_CALL_KEYS,
  rights: "What you may see",
  every: "all",
  none: "none",
  mayListen: "You may listen to recordings and save them.",
  mayNotListen: "You may not listen to recordings.",
  departuresTitle: "Unexpected answers",
  noDepartures: "Every answer so far kept the contract.",
};

const DE_LIST_KEYS: Keys = [
  ["J K ↓ ↑", "Nächste und vorige Zeile"],
  ["Bild↓ Bild↑ Pos1 Ende", "Seitenweise, zu den Enden"],
  ["Enter O", "Anruf öffnen"],
  ["Leertaste", "Anruf hier abspielen, anhalten"],
  ["X Umschalt+J", "Auswählen, und weiter"],
  ["V", "Alle hintereinander lesen"],
  ["/", "Suchfeld"],
  ["F", "Filtern"],
  ["C", "Spalten"],
  ["R", "Suche wiederholen"],
  ["Esc", "Abspieler schließen, nichts auswählen"],
  ["?", "Diese Seite"],
];

const DE_CALL_KEYS: Keys = [
  ["Leertaste", "Abspielen, anhalten"],
  ["← →", "5 Sekunden; mit Umschalt 1, mit Alt 30"],
  ["N P", "Nächster und voriger Treffer, sonst Zeile"],
  [", . ;", "Langsamer, schneller, übliches Tempo"],
  ["[ ] \\", "Wiederholen von hier, bis hier, nicht mehr"],
  ["H", "Das in Übergaben stumm schalten"],
  ["1 2 0", "Kanal 1, 2, beide hören"],
  ["M ↑ ↓", "Stumm, lauter, leiser"],
  ["S", "Stille überspringen"],
  ["L", "Link zu dieser Sekunde kopieren"],
  ["F /", "Im Transkript suchen"],
  ["Umschalt+J Umschalt+K", "Nächster und voriger Anruf"],
  ["U Esc", "Zurück zu den Ergebnissen"],
];

const de: typeof en = {
  aboutTitle: "Hilfe und Angaben",
  keyboard: "Tastatur",
  keysOfList: "In der Liste",
  keysOfCall: "Bei einem Anruf",
  listKeys: DE_LIST_KEYS,
  callKeys: DE_CALL_KEYS,
  rights: "Was Sie sehen dürfen",
  every: "alle",
  none: "keine",
  mayListen: "Sie dürfen Aufnahmen anhören und speichern.",
  mayNotListen: "Sie dürfen keine Aufnahmen anhören.",
  departuresTitle: "Unerwartete Antworten",
  noDepartures: "Bisher hielt jede Antwort den Vertrag ein.",
};

export const ABOUT_WORDS = { en, de } as const;
