// The reasons why a recording cannot be heard, as sentences, which the first page does not load.

const en = {
  obstacles: {
    "no-right": {
      title: "You may read this call, but not listen to it.",
      hint: "Your operator can give you the right to listen, or the right to this kind of file.",
    },
    missing: {
      title: "The archive has no such recording of this call.",
      hint: "Its file may never have been imported.",
    },
    ambiguous: {
      title: "The archive does not say which recording of this call belongs to this record.",
      hint: "Several records list a recording of this name. Your operator can give each record a reference of its own.",
    },
    damaged: {
      title: "The recording is damaged or its file is missing.",
      hint: "Your operator can find out with call-media-server verify.",
    },
    "too-large": {
      title: "This recording is too large to be played here.",
      hint: "This browser has no service workers at this address. Save the file, or use a session of the server.",
    },
    "other-bytes": {
      title: "The bytes are not those that the archive announces, so that the sound was stopped.",
      hint: "Do not rely on this recording, and tell your operator.",
    },
  },
  cannotPlay: (codec: string) => ({
    title: `This browser cannot play ${codec}.`,
    hint: "Save the file and open it in a player, or ask your operator for a conversion.",
  }),
};

const de: typeof en = {
  obstacles: {
    "no-right": {
      title: "Sie dürfen diesen Anruf lesen, aber nicht anhören.",
      hint: "Ihr Betreiber kann Ihnen das Recht geben, Aufnahmen anzuhören, oder das Recht auf diese Dateiart.",
    },
    missing: {
      title: "Das Archiv hat keine solche Aufnahme dieses Anrufs.",
      hint: "Vielleicht wurde ihre Datei nie importiert.",
    },
    ambiguous: {
      title: "Welche Aufnahme dieses Anrufs zu diesem Abschnitt gehört, ist nicht zu erkennen.",
      hint: "Mehrere Abschnitte nennen eine Aufnahme dieses Namens. Ihr Betreiber kann jedem eine eigene Referenz geben.",
    },
    damaged: {
      title: "Die Aufnahme ist beschädigt, oder ihre Datei fehlt.",
      hint: "Ihr Betreiber findet es mit call-media-server verify heraus.",
    },
    "too-large": {
      title: "Diese Aufnahme ist zu groß, um hier gespielt zu werden.",
      hint: "Dieser Browser hat unter dieser Adresse keine Service Worker. Speichern Sie die Datei, oder nutzen Sie eine Sitzung des Servers.",
    },
    "other-bytes": {
      title: "Die Bytes sind nicht die, die das Archiv ankündigt; darum wurde der Ton angehalten.",
      hint: "Verlassen Sie sich nicht auf diese Aufnahme und sagen Sie es Ihrem Betreiber.",
    },
  },
  cannotPlay: (codec) => ({
    title: `Dieser Browser kann ${codec} nicht abspielen.`,
    hint: "Speichern Sie die Datei und öffnen Sie sie in einem Abspielprogramm, oder bitten Sie Ihren Betreiber um eine Umwandlung.",
  }),
};

export const OBSTACLE_WORDS = { en, de } as const;
