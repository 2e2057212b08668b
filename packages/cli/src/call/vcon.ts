// A call as a vCon (draft-ietf-vcon-vcon-core, 0.4.0): what it has a place for, and the whole record as an attachment.
import { hash } from "node:crypto";
import type { CallRecord, Recording } from "@call-media/client";
import type { Message } from "@call-media/handover";
import { toInstant } from "../search/instant.ts";
import { type SentMessage, toSent } from "./sent.ts";
import { toMessageEntry, toRecordEntry } from "./vcon-entries.ts";

type Part = Readonly<Record<string, unknown>>;

/** A recording, and where it is beside the vCon; without a place it goes inside. */
export interface VconMedia extends Recording {
  readonly place?: {
    /** The name of its file. */
    readonly file: string;
    /** Its address in the service: validators want one that is absolute. */
    readonly url: string;
  };
}

export interface VconContent {
  readonly baseUrl: string;
  readonly record: CallRecord;
  readonly messages: readonly Message[];
  readonly media: readonly VconMedia[];
}

/** What an import into an archive of this project looks for, so that it gets every field back. */
const ATTACHMENT = "call-media-record";

/** Deprecated in the draft, and what validators still tell the syntax by. */
const VERSION = "0.4.0";

export function toVcon(content: VconContent): object {
  const { record, messages, media } = content;
  const startAt = toInstant(record.datetime) ?? new Date(0);
  const start = startAt.toISOString();
  const sent = toSent(messages, startAt);
  const parties = createParties(record, messages);
  const dialog = [
    ...media.map((one) => ({ ...toRecordingPart(one), start, parties: parties.speakers })),
    ...sent.flatMap((one) => toTextPart(one, parties.find(one.message))),
  ];
  // Nothing of it is kept, but that and when they spoke.
  const bare = { type: "recording", start, parties: parties.speakers };
  const dialogs = dialog.length > 0 ? dialog : [bare];
  return {
    vcon: VERSION,
    uuid: toUuid(content),
    extensions: ["CC"],
    created_at: new Date().toISOString(),
    parties: parties.list,
    dialog: withContactCentre(dialogs, record),
    analysis: toAnalysis(record, dialogs),
    attachments: [
      {
        purpose: ATTACHMENT,
        start,
        party: parties.archive,
        dialog: 0,
        mediatype: "application/json",
        encoding: "json",
        body: {
          fields: toRecordEntry(record, media.length > 0),
          messages: sent.map(toMessageEntry),
        },
      },
    ],
  };
}

function toRecordingPart({ place, filename, contentType, content }: VconMedia): Part {
  const details = dropUnset({ type: "recording", mediatype: contentType, filename });
  if (place === undefined)
    return { ...details, body: Buffer.from(content).toString("base64url"), encoding: "base64url" };
  const content_hash = `sha512-${hash("sha512", content, "base64url")}`;
  return { ...details, filename: place.file, url: place.url, content_hash };
}

function toTextPart({ message, sentAt }: SentMessage, writer: number): Part[] {
  const { transcript: body } = message;
  const start = sentAt.toISOString();
  if (body === null || body.trim() === "") return [];
  const text = { mediatype: "text/plain", encoding: "none", body };
  return [{ type: "text", start, parties: [writer], originator: writer, ...text }];
}

/** What the contact centre extension has of a call stands with its first dialog. */
function withContactCentre([first, ...others]: readonly Part[], record: CallRecord): Part[] {
  const { call_id, call_type, campaign, skill } = record;
  const fields = { interaction_id: call_id, interaction_type: call_type, campaign, skill };
  return [{ ...first, ...dropUnset(fields) }, ...others];
}

/** A transcript is of what was said; where nothing of that is kept, as notes and disposition are, of all. */
function toAnalysis({ transcript, notes, disposition }: CallRecord, dialogs: readonly Part[]) {
  const all = [...dialogs.keys()];
  const spoken = all.filter((index) => dialogs[index]?.["type"] === "recording");
  const bodies = { transcript, summary: notes, disposition };
  return Object.entries(bodies).flatMap(([type, body]) => {
    if (body === null) return [];
    const dialog = type === "transcript" && spoken.length > 0 ? spoken : all;
    return [{ type, dialog, vendor: "unknown", mediatype: "text/plain", encoding: "none", body }];
  });
}

const UNKNOWN = "unknown";

interface Person extends Part {
  readonly role: string;
  readonly name?: string;
}

interface Parties {
  readonly list: readonly Part[];
  readonly speakers: readonly number[];
  readonly archive: number;
  /** The number of a message's writer. */
  readonly find: (message: Message) => number;
}

function createParties(record: CallRecord, messages: readonly Message[]): Parties {
  const [customer, agent] = [toCustomer(record), toAgent(record)];
  const list: Person[] = [customer, agent];
  const names = [toNames(customer), toNames(agent, record.agent)];
  const find = ({ party_type, label }: Message) =>
    list.findIndex(
      ({ role, name }, index) =>
        role.toLowerCase() === (party_type ?? UNKNOWN).toLowerCase() &&
        ((name ?? null) === label || (names[index]?.has((label ?? "").toLowerCase()) ?? false)),
    );
  for (const message of messages) {
    const { party_type: role, label: name } = message;
    if (find(message) === -1) list.push({ role: role ?? UNKNOWN, ...dropUnset({ name }) });
  }
  const archive = list.push({ role: "archive", name: "Call Media Retrieval Service" }) - 1;
  return { list, speakers: [0, 1], archive, find };
}

/** What a chat calls somebody whom the record names: by name, first name, sign-in name, as "Agent", or not at all. */
function toNames({ name, role }: Person, signIn: string | null = null): ReadonlySet<string> {
  const [first = ""] = (name ?? "").split(" ");
  return new Set([name, first, signIn, role, ""].map((one) => (one ?? "").toLowerCase()));
}

/** By the direction of the call one of its two numbers is the customer's, and the other the contact centre's. */
const isOutbound = ({ call_type }: CallRecord) => /^out/i.test(call_type ?? "");

function toCustomer(record: CallRecord): Person {
  const { customer_first_name: first, customer_middle_name: middle } = record;
  const names = [first, middle, record.customer_last_name].filter((name) => name !== null);
  const { ani, dnis, phone_number1, customer_email: mailto, company: org } = record;
  const tel = toTel(phone_number1 ?? (isOutbound(record) ? dnis : ani));
  return { role: "customer", ...dropUnset({ name: names.join(" ") || null, tel, mailto, org }) };
}

function toAgent(record: CallRecord): Person {
  const { agent, agent_name: name, agent_group: dept, ani, dnis } = record;
  const mailto = agent?.includes("@") === true ? agent : null;
  const tel = toTel(isOutbound(record) ? ani : dnis);
  return { role: "agent", ...dropUnset({ name, mailto, dept, tel }) };
}

/**
 * A number as RFC 3966 writes it, without visual separators. A local one stays without the scheme, which would need the
 * context that nobody told. Undefined for what is no number, such as "anonymous".
 */
function toTel(number: string | null): string | undefined {
  const digits = (number ?? "").replace(/^tel:/i, "").replaceAll(/[\s().-]/g, "");
  if (/^\+\d+$/.test(digits)) return `tel:${digits}`;
  return /^\d+$/.test(digits) ? digits : undefined;
}

/** The same for the same record: a UUID of version 8 (RFC 9562, 5.8), made of a SHA-256. */
function toUuid({ baseUrl, record }: VconContent): string {
  const { call_id, ref_id, datetime, agent } = record;
  const digits = hash("sha256", JSON.stringify([baseUrl, call_id, ref_id, datetime, agent]));
  const variant = ((Number.parseInt(digits.slice(16, 17), 16) & 0x3) | 0x8).toString(16);
  const ends = [digits.slice(0, 8), digits.slice(8, 12), `8${digits.slice(13, 16)}`];
  return [...ends, `${variant}${digits.slice(17, 20)}`, digits.slice(20, 32)].join("-");
}

function dropUnset(fields: Part): Part {
  const given = Object.entries(fields).filter(([, value]) => value !== null && value !== undefined);
  return Object.fromEntries(given);
}
