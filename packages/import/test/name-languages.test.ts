// Names of columns in other languages than English: what exports of telephone systems call their columns.
import { expect, test } from "vitest";
import { rateAll } from "../src/formats/mapping/field-names.ts";
import { bring } from "./support/bring-doubts.ts";

const NAMES: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  English: {
    talk_time: "AgentInteractionDuration",
    "another duration": "CustomerHoldDuration;Agent Hold Time",
    disposition_notes: "Reason;reason_description",
  },
  German: {
    call_id: "Vorgang;Vorgangsnummer;Vorgangs-ID;Gesprächs-ID;Verbindungs-ID",
    datetime: "Anrufbeginn;Startzeit;Startzeitpunkt;Anrufdatum;Datum und Uhrzeit",
    end: "Anrufende;Endzeit",
    ani: "A-Rufnummer;Quellrufnummer;Von",
    dnis: "B-Rufnummer;Zielrufnummer;Gewählte Nummer;Nach",
    agent:
      "Sachbearbeiter;Sachbearbeiterin;Bediener;Kundenberater;Nebenstelle;Durchwahl;Agentenkennung;Mitarbeiterkürzel",
    agent_name: "Agentenname;Mitarbeitername;Benutzername",
    agent_group: "Abteilung",
    call_type: "Anrufrichtung;Rufrichtung;Anrufart",
    talk_time: "Sprechzeit;Gesprächsdauer;Anrufdauer;Verbindungsdauer",
    handle_time: "Bearbeitungsdauer",
    "another duration": "Wartedauer;Haltedauer;Klingeldauer;Klingelzeit",
    recordings: "Aufnahmedatei;Aufzeichnungsdatei",
    disposition_notes: "Grund",
  },
  Spanish: {
    call_id: "Folio;Número de caso;ID de la llamada",
    datetime: "Fecha y hora;Hora de inicio",
    dnis: "Número marcado;Para",
    agent: "Ejecutivo;Gestora;Teleoperador;Asesor;Anexo;Código de agente",
    agent_name: "Nombre del agente",
    talk_time: "Tiempo de conversación;Tiempo hablado;Duración (seg)",
    "another duration": "Tiempo de espera",
    disposition: "Tipificación",
    customer_last_name: "Apellidos",
    recordings: "Archivo de grabación",
  },
  French: {
    call_id: "Dossier;Numéro de dossier;Identifiant de l'appel",
    datetime: "Date et heure;Date de l'appel",
    dnis: "Numéro composé;Vers",
    agent: "Téléconseiller;Gestionnaire;Poste",
    agent_name: "Nom de l'agent",
    call_type: "Sens de l'appel",
    skill: "File d'attente",
    talk_time: "Durée de communication;Temps de parole",
    "another duration": "Temps d'attente",
    disposition: "Qualification",
    disposition_notes: "Motif",
    recordings: "Fichier audio",
    "a name": "Nom du client",
  },
  Italian: {
    call_id: "Pratica;Numero pratica;Identificativo chiamata",
    datetime: "Data e ora",
    agent: "Addetto;Operatrice;Interno",
    agent_name: "Nome operatore",
    talk_time: "Tempo di conversazione",
    "another duration": "Tempo di attesa",
    customer_last_name: "Cognome",
  },
  Dutch: {
    call_id: "Zaaknummer;Gespreks-ID;Oproep-ID",
    datetime: "Datum en tijd;Starttijd;Begintijd;Tijdstip",
    end: "Eindtijd",
    ani: "Van;Bellernummer",
    dnis: "Naar;Gebeld nummer",
    agent: "Behandelaar;Toestel",
    agent_name: "Medewerkernaam",
    call_type: "Richting",
    talk_time: "Gespreksduur;Gesprekstijd",
    "another duration": "Wachtduur",
    recordings: "Opnamebestand",
  },
  Portuguese: {
    datetime: "Data e hora",
    dnis: "Número discado",
    agent: "Ramal",
    talk_time: "Tempo de conversação",
    disposition: "Tabulação",
  },
  Polish: {
    call_id: "ID połączenia;Numer sprawy",
    datetime: "Czas rozpoczęcia",
    ani: "Numer dzwoniącego",
    agent: "Pracownik",
  },
  Turkish: { datetime: "Başlangıç", end: "Bitiş" },
};

test.each(Object.entries(NAMES))("%s", (_, fields) => {
  for (const [field, names] of Object.entries(fields))
    for (const name of names.split(";")) {
      const rated = rateAll(name);
      expect([name, field, rated.get(field)]).toEqual([name, field, Math.max(...rated.values())]);
    }
});

test("the number of a customer is not a telephone number", () => {
  for (const name of ["Kundennummer", "Klantnummer"])
    expect([name, ...rateAll(name)]).toEqual([name]);
});

const ROWS = Array.from({ length: 12 }, (_, n) =>
  [
    `V${n}`,
    `${10 + n}.08.2026 08:0${n % 10}:00`,
    `+4930555${100 + n}`,
    "+4930900100",
    ["Ada", "Bo"][n % 2],
    60 + 7 * n,
    4 + (n % 5),
    n % 3 === 0 ? "Abgehend" : "Ankommend",
  ].join(";"),
);
const TABLE = [
  "Vorgang;Anrufbeginn;A-Rufnummer;B-Rufnummer;Sachbearbeiter;Verbindungsdauer;Wartedauer;Anrufrichtung",
  ...ROWS,
];
const FIELDS = {
  call_id: "{Vorgang}",
  datetime: { from: "{Anrufbeginn}", format: "dd.MM.yyyy HH:mm:ss" },
  ani: "{A-Rufnummer}",
  dnis: "{B-Rufnummer}",
  agent: "{Sachbearbeiter}",
  talk_time: "{Verbindungsdauer}",
  call_type: { from: "{Anrufrichtung}", values: { Ankommend: "Inbound", Abgehend: "Outbound" } },
};

test("an export with German names: nothing is in doubt if it is right, and what is exchanged stops", async () => {
  expect(await bring({ fields: FIELDS }, TABLE)).toEqual([]);
  const wrong = {
    ani: "{B-Rufnummer}",
    dnis: "{A-Rufnummer}",
    talk_time: "{Wartedauer}",
    agent: "{Anrufrichtung}",
  };
  for (const [field, from] of Object.entries(wrong))
    expect(await bring({ fields: { ...FIELDS, [field]: from } }, TABLE)).toContainEqual(
      expect.stringMatching(new RegExp(`^stop columns: ${field}: `)),
    );
  const values = { Ankommend: "Outbound", Abgehend: "Inbound" };
  expect(
    await bring({ fields: { ...FIELDS, call_type: { from: "{Anrufrichtung}", values } } }, TABLE),
  ).toContainEqual(expect.stringMatching(/^stop values: .*"Ankommend" becomes "Outbound"/));
});

test.each([
  ["eingehender", "ausgehend"],
  ["entrante", "saliente"],
  ["reçu", "émis"],
  ["in entrata", "in uscita"],
  ["inkomend", "uitgaand"],
])("%s is inbound, %s outbound", async (inbound, outbound) => {
  const values = { [inbound]: "Outbound", [outbound]: "Inbound" };
  const doubts = await bring(
    { fields: { call_id: "{ID}", call_type: { from: "{Typ}", values } } },
    ["ID,Typ", `1,${inbound}`, `2,${outbound}`],
  );
  for (const text of [inbound, outbound])
    expect(doubts.join()).toMatch(new RegExp(`stop values: .*"${text}" becomes`));
});
