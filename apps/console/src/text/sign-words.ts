// The sentences of signing in, which the first page does not load.
import { type Language, language } from "./text.ts";

const en = {
  signIn: "Sign in",
  signInAgain: "Sign in again",
  signingIn: "Signing in …",
  showSecret: "Show it",
  useApplication: "Sign in with an application",
  useKey: "Use an API key",
  wrongSecret: {
    title: "The archive does not know this.",
    hint: "Check it, and whether it was revoked.",
  },
  proxySays: (username: string) => `Your network has signed you in as ${username}.`,
  unknownProxyUser: {
    title: "The archive has no active user of this name.",
    hint: "Your operator can add you.",
  },
  sessionLasts: "You stay signed in on this device until 30 minutes after your last use.",
  secretStays: "The secret stays in the memory of this tab: closing or reloading it signs you out.",
  lockedIdle: "The page was not used for half an hour.",
  lockedRefused: "Your session has ended.",
  placeIsKept: (username: string) =>
    username === "" ? "You go on where you were." : `As ${username} you go on where you were.`,
};

const de: typeof en = {
  signIn: "Anmelden",
  signInAgain: "Noch einmal anmelden",
  signingIn: "Anmelden …",
  showSecret: "Zeigen",
  useApplication: "Mit einer Anwendung anmelden",
  useKey: "Mit einem API-Schlüssel anmelden",
  wrongSecret: {
    title: "Das Archiv kennt dies nicht.",
    hint: "Prüfen Sie es, und ob es widerrufen wurde.",
  },
  proxySays: (username) => `Ihr Netz hat Sie als ${username} angemeldet.`,
  unknownProxyUser: {
    title: "Das Archiv hat keinen aktiven Benutzer dieses Namens.",
    hint: "Ihr Betreiber kann Sie hinzufügen.",
  },
  sessionLasts:
    "Sie bleiben auf diesem Gerät angemeldet, bis Sie die Seite 30 Minuten lang nicht benutzt haben.",
  secretStays:
    "Das Geheimnis bleibt im Speicher dieses Tabs: Schließen oder Neuladen meldet Sie ab.",
  lockedIdle: "Die Seite wurde eine halbe Stunde lang nicht benutzt.",
  lockedRefused: "Ihre Sitzung ist zu Ende.",
  placeIsKept: (username) =>
    username === ""
      ? "Sie machen dort weiter, wo Sie waren."
      : `Als ${username} machen Sie dort weiter, wo Sie waren.`,
};

const WORDS: Readonly<Record<Language, typeof en>> = { en, de };

export const signWords = (): typeof en => WORDS[language.value];
