// Exports and mappings that are right, in which names or values look as if the mapping were wrong. The rows are invented.
const ROWS = 25;
const pad = (value: number) => String(value).padStart(2, "0");

/** The start of the nth call, and seconds after it. */
const at = (n: number, seconds = 0) =>
  new Date(Date.UTC(2026, 7, 21, 8, 7 * n, seconds)).toISOString().slice(0, 19);

const customer = (n: number) => `+1555000${pad(37 + n)}`;
const pick = (texts: readonly string[], n: number) => texts[n % texts.length] ?? "";
const OWN = "+442079460000";
const said = (n: number) => `Caller ${n} asked about invoice ${9_000 + n} and was called back`;

interface Layout {
  readonly columns: readonly string[];
  readonly toRow: (n: number) => readonly (string | number)[];
  readonly fields: Readonly<Record<string, unknown>>;
}

const LAYOUTS: Readonly<Record<string, Layout>> = {
  "a disposition as free text": {
    columns: ["Call ID", "Start Time", "Agent", "Result"],
    toRow: (n) => [n, at(n), pick(["ann", "bob"], n), said(n)],
    fields: {
      call_id: "{Call ID}",
      datetime: "{Start Time}",
      agent: "{Agent}",
      disposition: "{Result}",
    },
  },
  "a disposition in a column of comments": {
    columns: ["Call ID", "Start Time", "Comments"],
    toRow: (n) => [n, at(n), said(n)],
    fields: { call_id: "{Call ID}", datetime: "{Start Time}", disposition: "{Comments}" },
  },
  "an internal help desk: few extensions call many": {
    columns: ["Call ID", "Start Time", "Caller", "Called", "Direction"],
    toRow: (n) => [n, at(n), pick(["2001", "2002"], n), 7_000 + n, "inbound"],
    fields: {
      call_id: "{Call ID}",
      datetime: "{Start Time}",
      ani: "{Caller}",
      dnis: "{Called}",
      call_type: { from: "{Direction}", values: { inbound: "Inbound" } },
    },
  },
  "a help desk whose columns have names of its own": {
    columns: ["Ticket", "Opened", "Shop", "Desk"],
    toRow: (n) => [n, at(n), pick(["2001", "2002"], n), 7_000 + n],
    fields: {
      call_id: "{Ticket}",
      datetime: "{Opened}",
      ani: "{Shop}",
      dnis: "{Desk}",
      call_type: "Inbound",
    },
  },
  "a column called as a skill that is none": {
    columns: ["Call ID", "Start Time", "Team", "Skill Group"],
    toRow: (n) => [
      n,
      at(n),
      pick(["Sales", "Support"], n),
      pick(["Tier 1", "Tier 2", "Tier 3"], n),
    ],
    fields: { call_id: "{Call ID}", datetime: "{Start Time}", skill: "{Team}" },
  },
  "the answer as the time of the call": {
    columns: ["Call ID", "Start Time", "Answer Time", "Agent"],
    toRow: (n) => [n, at(n), at(n, 5 + (n % 7)), pick(["ann", "bob"], n)],
    fields: { call_id: "{Call ID}", datetime: "{Answer Time}", agent: "{Agent}" },
  },
  "a login beside the name of the agent": {
    columns: ["Call ID", "Start Time", "Username", "Agent", "Queue"],
    toRow: (n) => [
      n,
      at(n),
      pick(["amoss", "bkerr", "cdiaz"], n),
      pick(["Ann Moss", "Bo Kerr", "Cy Diaz"], n),
      pick(["Sales", "Support"], n),
    ],
    fields: {
      call_id: "{Call ID}",
      datetime: "{Start Time}",
      agent: "{Username}",
      agent_name: "{Agent}",
      skill: "{Queue}",
    },
  },
  "an outbound dialer with a lead for each call": {
    columns: [
      "Call Key",
      "Dial Time",
      "List",
      "Lead ID",
      "Phone",
      "Caller ID",
      "Dialer Result",
      "Rep",
      "Connect Time",
      "Duration",
      "Talk",
    ],
    toRow: (n) => [
      n,
      at(n),
      "Spring",
      `L-${400 + n}`,
      customer(n),
      OWN,
      pick(["NO ANSWER", "SALE", "BUSY"], n),
      pick(["17", "18"], n),
      at(n, 9),
      70 + n,
      55 + n,
    ],
    fields: {
      call_id: "{Call Key}",
      datetime: "{Dial Time}",
      campaign: "{List}",
      lead_id: "{Lead ID}",
      ani: "{Caller ID}",
      dnis: "{Phone}",
      call_type: "Outbound",
      disposition: "{Dialer Result}",
      agent: "{Rep}",
      talk_time: "{Talk}",
      handle_time: "{Duration}",
    },
  },
  "voicemails, each for another mailbox": {
    columns: ["Msg", "Received", "From", "Mailbox", "Length", "Transcription", "File"],
    toRow: (n) => [n, at(n), customer(n), 2_000 + n, 12 + n, said(n), `vm-${n}`],
    fields: {
      call_id: "{Msg}",
      datetime: "{Received}",
      ani: "{From}",
      dnis: "{Mailbox}",
      skill: "Voicemail",
      talk_time: "{Length}",
      notes: "{Transcription}",
    },
  },
  "chats of a site, with a page for the queue": {
    columns: ["Chat ID", "Started", "Ended", "Visitor", "Operator", "Department", "Page", "Rating"],
    toRow: (n) => [
      `ch${n}`,
      at(n),
      at(n, 300 + n),
      `visitor ${n}`,
      pick(["ann", "bob"], n),
      pick(["Sales", "Billing"], n),
      pick(["Home", "Prices", "Help"], n),
      n % 5,
    ],
    fields: {
      call_id: "{Chat ID}",
      datetime: "{Started}",
      agent: "{Operator}",
      skill: "{Department}",
      campaign: "{Page}",
      disposition: "{Rating}",
      media: "Chat",
    },
  },
  "Spanish heads": {
    columns: [
      "Llamada",
      "Fecha",
      "Origen",
      "Destino",
      "Agente",
      "Cola",
      "Sentido",
      "Duración",
      "Resultado",
    ],
    toRow: (n) => [
      n,
      at(n),
      customer(n),
      OWN,
      pick(["ana", "bea"], n),
      pick(["Ventas", "Soporte"], n),
      "entrante",
      60 + n,
      pick(["Atendida", "Perdida"], n),
    ],
    fields: {
      call_id: "{Llamada}",
      datetime: "{Fecha}",
      ani: "{Origen}",
      dnis: "{Destino}",
      agent: "{Agente}",
      skill: "{Cola}",
      call_type: { from: "{Sentido}", values: { entrante: "Inbound", saliente: "Outbound" } },
      talk_time: "{Duración}",
      disposition: "{Resultado}",
    },
  },
  "French heads": {
    columns: [
      "Identifiant",
      "Début",
      "Fin",
      "Appelant",
      "Appelé",
      "Conseiller",
      "Équipe",
      "Durée",
      "Motif",
    ],
    toRow: (n) => [
      n,
      at(n),
      at(n, 75 + n),
      customer(n),
      OWN,
      pick(["luc", "eva"], n),
      pick(["Nord", "Sud"], n),
      75 + n,
      said(n),
    ],
    fields: {
      call_id: "{Identifiant}",
      datetime: "{Début}",
      ani: "{Appelant}",
      dnis: "{Appelé}",
      agent: "{Conseiller}",
      skill: "{Équipe}",
      talk_time: "{Durée}",
      disposition: "{Motif}",
    },
  },
  "Japanese heads": {
    columns: ["通話ID", "開始", "終了", "発信者", "着信者", "担当者", "スキル", "通話時間"],
    toRow: (n) => [
      n,
      at(n),
      at(n, 95 + n),
      customer(n),
      OWN,
      pick(["佐藤", "鈴木"], n),
      "受付",
      95 + n,
    ],
    fields: {
      call_id: "{通話ID}",
      datetime: "{開始}",
      ani: "{発信者}",
      dnis: "{着信者}",
      agent: "{担当者}",
      skill: "{スキル}",
      talk_time: "{通話時間}",
    },
  },
  "a duration that a mapping takes as the talk": {
    columns: ["ID", "Time", "Caller", "Called", "Duration", "Ring Duration", "Call ID"],
    toRow: (n) => [n, at(n), customer(n), OWN, 60 + n, 5, `trunk-${n % 3}`],
    fields: {
      call_id: "{ID}",
      datetime: "{Time}",
      ani: "{Caller}",
      dnis: "{Called}",
      talk_time: "{Duration}",
    },
  },
  "callbacks: many own numbers for few customers": {
    columns: ["ID", "Start", "From Number", "To Number", "Way"],
    toRow: (n) => [n, at(n), `+4420794600${pad(n)}`, customer(n % 2), "Outbound"],
    fields: {
      call_id: "{ID}",
      datetime: "{Start}",
      ani: "{From Number}",
      dnis: "{To Number}",
      call_type: "{Way}",
    },
  },
  "a campaign for each call": {
    columns: ["Call ID", "Start Time", "Campaign", "Queue Name", "Outcome"],
    toRow: (n) => [
      n,
      at(n),
      `Renewal of customer ${n}`,
      pick(["A", "B"], n),
      pick(["yes", "no"], n),
    ],
    fields: {
      call_id: "{Call ID}",
      datetime: "{Start Time}",
      campaign: "{Campaign}",
      skill: "{Queue Name}",
      disposition: "{Outcome}",
    },
  },
  "the line as the group and the site as the queue": {
    columns: ["Call ID", "Start Time", "User", "Site", "Group", "Queue"],
    toRow: (n) => [
      n,
      at(n),
      pick(["ann", "bob"], n),
      pick(["London", "Leeds"], n),
      pick(["Day", "Night"], n),
      pick(["10", "20", "30"], n),
    ],
    fields: {
      call_id: "{Call ID}",
      datetime: "{Start Time}",
      agent: "{User}",
      agent_group: "{Site}",
      skill: "{Group}",
    },
  },
};

interface Lawful {
  readonly mapping: object;
  readonly rows: readonly string[];
}

/** By what is unusual. */
export const lawful: readonly (readonly [string, Lawful])[] = Object.entries(LAYOUTS).map(
  ([what, { columns, toRow, fields }]) => {
    const rows = Array.from({ length: ROWS }, (_, n) => toRow(n).join(","));
    return [what, { mapping: { fields }, rows: [columns.join(","), ...rows] }];
  },
);
