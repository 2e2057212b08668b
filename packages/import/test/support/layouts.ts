// Exports of systems of which no mapping ships, after their public documents, with mappings that are right. The rows are invented.
import type { Given } from "./exchanges.ts";

const ROWS = 25;
const pad = (value: number) => String(value).padStart(2, "0");

/** The start of the nth call, and seconds after it. */
function at(n: number, seconds = 0, isTimeAlone = false): string {
  const text = new Date(Date.UTC(2026, 7, 21, 8, 7 * n, seconds)).toISOString();
  return `${isTimeAlone ? "" : text.slice(0, 10)} ${text.slice(11, 19)}`.trim();
}

const customer = (n: number) => `+1555000${pad(37 + n)}`;
const OWN = "+442079460000";
const pick = (texts: readonly string[], n: number) => texts[n % texts.length] ?? "";
const agent = (n: number) => pick(["ann", "bob", "cyd"], n);
const extension = (n: number) => pick(["2001", "2002", "2003"], n);
const queue = (n: number) => pick(["Sales", "Support"], n);
const outcome = (n: number) => pick(["completed", "abandoned", "completed"], n);

interface Layout {
  readonly header: string;
  readonly toRow: (n: number) => readonly (string | number)[];
  readonly fields: Readonly<Record<string, unknown>>;
}

const WAYS = { inbound: "Inbound", outbound: "Outbound" };

const LAYOUTS: Readonly<Record<string, Layout>> = {
  "8x8": {
    header:
      "Call ID,Start Time,Disconnected Time,Direction,Caller,Callee,Callee Name,Talk Time,Ring Time,Last Leg Disposition,Departments",
    toRow: (n) => [
      n,
      at(n),
      at(n, 60 + n),
      "inbound",
      customer(n),
      OWN,
      agent(n),
      50 + n,
      10,
      outcome(n),
      queue(n),
    ],
    fields: {
      call_id: "{Call ID}",
      datetime: "{Start Time}",
      ani: "{Caller}",
      dnis: "{Callee}",
      agent_name: "{Callee Name}",
      call_type: { from: "{Direction}", values: WAYS },
      talk_time: "{Talk Time}",
      disposition: "{Last Leg Disposition}",
      agent_group: "{Departments}",
    },
  },
  avaya: {
    header:
      "Call ID,Segment,Calling Party,Dialed Number,Start Time,Stop Time,Ans Login,Split/Skill,Disposition,Talk Time,Hold Time,ACW Time",
    toRow: (n) => [
      n,
      1,
      customer(n),
      OWN,
      at(n),
      at(n, 90 + n),
      extension(n),
      queue(n),
      outcome(n),
      80 + n,
      n % 5,
      10 + (n % 4),
    ],
    fields: {
      call_id: "{Call ID}",
      datetime: "{Start Time}",
      ani: "{Calling Party}",
      dnis: "{Dialed Number}",
      agent: "{Ans Login}",
      skill: "{Split/Skill}",
      disposition: "{Disposition}",
      talk_time: "{Talk Time}",
      handle_time: { from: "{Talk Time}", plus: ["{ACW Time}"] },
    },
  },
  yeastar: {
    header:
      "ID,Time,Call From,Call To,Call Duration(s),Ring Duration(s),Talk Duration(s),Status,Reason,Communication Type,DID",
    toRow: (n) => [
      n,
      at(n),
      customer(n),
      extension(n),
      50 + n,
      10,
      40 + n,
      outcome(n),
      "hung up",
      "Inbound",
      OWN,
    ],
    fields: {
      call_id: "{ID}",
      datetime: "{Time}",
      ani: "{Call From}",
      dnis: "{DID}",
      agent: "{Call To}",
      talk_time: "{Talk Duration(s)}",
      call_type: "{Communication Type}",
      disposition: "{Status}",
    },
  },
  zendesk: {
    header:
      "Ticket ID,Call ID,Date/Time,Agent,Agent ID,Customer phone number,Call status,Phone number,Minutes,Wait time,Talk time,Wrap-up time,Call direction",
    toRow: (n) => [
      n,
      9_000 + n,
      at(n),
      agent(n),
      extension(n),
      customer(n),
      outcome(n),
      OWN,
      2,
      n % 9,
      60 + n,
      12,
      "inbound",
    ],
    fields: {
      call_id: "{Call ID}",
      ref_id: "{Ticket ID}",
      datetime: "{Date/Time}",
      agent: "{Agent ID}",
      agent_name: "{Agent}",
      ani: "{Customer phone number}",
      dnis: "{Phone number}",
      disposition: "{Call status}",
      talk_time: "{Talk time}",
      call_type: { from: "{Call direction}", values: WAYS },
    },
  },
  grandstream: {
    header:
      "AcctId,src,dst,start,answer,end,duration,billsec,disposition,uniqueid,answerby,session",
    toRow: (n) => [
      n,
      customer(n),
      OWN,
      at(n),
      at(n, 6),
      at(n, 66 + n),
      66 + n,
      60 + n,
      outcome(n),
      `u.${n}`,
      extension(n),
      `s-${n}`,
    ],
    fields: {
      call_id: "{uniqueid}",
      datetime: "{start}",
      ani: "{src}",
      dnis: "{dst}",
      agent: "{answerby}",
      talk_time: "{billsec}",
      disposition: "{disposition}",
      session_id: "{session}",
    },
  },
  german: {
    header:
      "Anruf-ID,Datum,Uhrzeit,Ende,Anrufer,Gerufene Nummer,Mitarbeiter,Warteschlange,Gesprächsdauer,Wartezeit,Ergebnis",
    toRow: (n) => [
      n,
      at(n).slice(0, 10),
      at(n, 0, true),
      at(n, 90 + n, true),
      customer(n),
      OWN,
      agent(n),
      queue(n),
      80 + n,
      10,
      outcome(n),
    ],
    fields: {
      call_id: "{Anruf-ID}",
      datetime: { from: "{Datum} {Uhrzeit}", format: "yyyy-MM-dd HH:mm:ss" },
      ani: "{Anrufer}",
      dnis: "{Gerufene Nummer}",
      agent: "{Mitarbeiter}",
      skill: "{Warteschlange}",
      talk_time: "{Gesprächsdauer}",
      disposition: "{Ergebnis}",
    },
  },
  ivozprovider: {
    header: "callid,startTime,duration,caller,callee,price,direction,ddiId,endpointName",
    toRow: (n) => [
      `c${n}@10.0.0.${n}`,
      at(n),
      60 + n,
      customer(n),
      OWN,
      `0.0${n}`,
      "inbound",
      12,
      agent(n),
    ],
    fields: {
      call_id: "{callid}",
      datetime: "{startTime}",
      ani: "{caller}",
      dnis: "{callee}",
      talk_time: "{duration}",
      call_type: { from: "{direction}", values: WAYS },
      agent: "{endpointName}",
    },
  },
  videsk: {
    header: "Identificador,Segmento,Agente,Inicio,Fin,Duración,Etiquetas",
    toRow: (n) => [
      `67ed${pad(n)}`,
      queue(n),
      agent(n),
      at(n),
      at(n, 75 + n),
      ((75 + n) / 60).toFixed(3),
      outcome(n),
    ],
    fields: {
      call_id: "{Identificador}",
      skill: "{Segmento}",
      agent: "{Agente}",
      datetime: "{Inicio}",
      talk_time: { from: "{Duración}", unit: "min" },
    },
  },
  nfon: {
    header: "Datum/Uhrzeit,Richtung,Quelle,Ziel,Dauer,Nebenstelle",
    toRow: (n) => [at(n), "eingehend", customer(n), OWN, 60 + n, extension(n)],
    fields: {
      datetime: "{Datum/Uhrzeit}",
      call_type: { from: "{Richtung}", values: { eingehend: "Inbound", ausgehend: "Outbound" } },
      ani: "{Quelle}",
      dnis: "{Ziel}",
      talk_time: "{Dauer}",
      agent: "{Nebenstelle}",
    },
  },
};

/** By the name of the system. */
export const layouts: readonly (readonly [string, Given])[] = Object.entries(LAYOUTS).map(
  ([name, { header, toRow, fields }]) => {
    const rows = Array.from({ length: ROWS }, (_, n) => toRow(n).join(","));
    return [
      name,
      { mapping: 2, fields, samples: [{ file: "export.csv", text: [header, ...rows] }] },
    ];
  },
);
