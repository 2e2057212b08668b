// Recordings: the chosen one, the caller's right to it (D17, D21, D22), and its two forms (D16).
import { extname } from "node:path";
import { create as toContentDisposition } from "content-disposition";
import Negotiator from "negotiator";
import type {
  ByteRange,
  FoundRecording,
  Media,
  RecordingOwner,
  UserRecord,
} from "@call-media/store";
import { toMatchKey } from "@call-media/store/values";
import { toDictionaryHeader } from "../dictionary.ts";
import {
  downloadNotAllowed,
  fileTypeNotAllowed,
  notAcceptable,
  recordingNotFound,
} from "../errors.ts";
import { toBase64Body, toBytesBody } from "../media-body.ts";
import { isPreferred } from "../preferences.ts";
import { selectRange } from "../range.ts";
import { toSoundHeader } from "../sound-header.ts";
import { toEnvelope } from "./envelope.ts";
import type { Operations, MediaResult, Request, Released } from "./handler.ts";

type Base64Request = Request<"getRecordingByCallId"> | Request<"getRecordingByReference">;
type StreamRequest = Request<"streamRecordingByCallId"> | Request<"streamRecordingByReference">;

// The text after the base64 in the envelope.
const AFTER_BASE64 = '"}}';

export const recordings = {
  getRecordingByCallId: async (request) => toBase64Result(request, await find(request)),
  getRecordingByReference: async (request) => toBase64Result(request, await find(request)),
  streamRecordingByCallId: async (request) => toBytesResult(request, await find(request)),
  streamRecordingByReference: async (request) => toBytesResult(request, await find(request)),
} satisfies Pick<
  Operations,
  | "getRecordingByCallId"
  | "getRecordingByReference"
  | "streamRecordingByCallId"
  | "streamRecordingByReference"
>;

async function find({
  input,
  caller,
  store,
}: Base64Request | StreamRequest): Promise<FoundRecording> {
  if (!caller.user.allow_download) throw downloadNotAllowed();
  const { path, query } = input;
  const isByCallId = "call_id" in path;
  const of = isByCallId ? { callId: path.call_id } : { reference: path.ref_id };
  const recording = (await store.calls.recordings(of, caller.visibility))[(query.part ?? 1) - 1];
  if (recording === undefined) throw recordingNotFound(isByCallId ? "call_id" : "ref_id");
  checkFileType(caller.user, recording.filename);
  return recording;
}

function checkFileType(user: UserRecord, filename: string): void {
  const { allow_all_download_doc_type: allowsAll, allowed_download_doc_type: allowed } = user;
  const toType = (name: unknown) => toMatchKey("extension", String(name)).replace(/^\./, "");
  const type = toType(extname(filename));
  if (allowsAll || allowed.map(toType).includes(type)) return;
  throw fileTypeNotAllowed(type);
}

async function toBase64Result(
  { store }: Base64Request,
  { owner, filename, media }: FoundRecording,
): Promise<MediaResult> {
  // base64 is the last field of the last object, so its text goes before the closing quote.
  const json = JSON.stringify(toEnvelope({ success: true, filename, base64: "" }));
  const around = { before: json.slice(0, -AFTER_BASE64.length), after: AFTER_BASE64 };
  const range = { first: 0, last: media.bytes - 1 };
  return {
    status: 200,
    headers: {
      ...toDictionaryHeader("Recording-Of", owner),
      "Content-Type": "application/json; charset=utf-8",
    },
    media: { ...toBase64Body(media, around), source: await store.media.open(media, range) },
    released: toReleased(owner, media, range),
  };
}

async function toBytesResult(
  { request, input, store, mediaRedirectSeconds }: StreamRequest,
  { owner, filename, media }: FoundRecording,
): Promise<MediaResult> {
  const etag = `"${media.sha256}"`;
  const { Range, ...conditions } = input.header;
  // RFC 9110, section 14.2: a Range counts only with GET, and is ignored elsewhere.
  const isRanged = Range !== undefined && request.method === "GET";
  const choice = isRanged ? { ...conditions, Range } : conditions;
  const selection = selectRange(choice, { ...media, etag });
  const validators = {
    ETag: etag,
    "Last-Modified": new Date(media.modifiedMs).toUTCString(),
    ...toSoundHeader(media),
  };
  if (selection.kind === "unchanged")
    return {
      status: 304,
      headers: validators,
      media: undefined,
      released: { callIds: [owner.call_id] },
    };
  const isPart = selection.kind === "part";
  const range = isPart ? selection : { first: 0, last: media.bytes - 1 };
  const type = negotiate(request.headers["accept"]?.toString(), media);
  const disposition = toContentDisposition(filename);
  const released = toReleased(owner, media, range);
  const isUrlAsked =
    request.method === "GET" && !isPart && isPreferred("redirect", request.headers["prefer"]);
  if (isUrlAsked && mediaRedirectSeconds !== undefined && store.media.presign !== undefined) {
    const grant = { seconds: mediaRedirectSeconds, type, disposition };
    return {
      status: 307,
      headers: {
        ...toDictionaryHeader("Recording-Of", owner),
        Location: await store.media.presign(media, grant),
        "Preference-Applied": "redirect",
      },
      media: undefined,
      released: { ...released, isHandedOut: true },
    };
  }
  const headers = {
    ...toDictionaryHeader("Recording-Of", owner),
    ...validators,
    "Content-Type": type,
    "Content-Disposition": disposition,
    "X-Content-Type-Options": "nosniff",
    "Accept-Ranges": "bytes",
    "Repr-Digest": `sha-256=:${Buffer.from(media.sha256, "hex").toString("base64")}:`, // RFC 9530
    ...(isPart && { "Content-Range": `bytes ${range.first}-${range.last}/${media.bytes}` }),
  };
  return {
    status: isPart ? 206 : 200,
    headers,
    media: { ...toBytesBody(range), source: await store.media.open(media, range) },
    released,
  };
}

function toReleased(
  { call_id: callId }: RecordingOwner,
  { sha256 }: Media,
  { first, last }: ByteRange,
): Released {
  return { callIds: [callId], recording: { sha256, first, last } };
}

// Any recording is also a stream of octets, for clients that accept nothing else.
function negotiate(accept: string | undefined, { type }: Media): string {
  // Negotiator would treat an empty Accept as accepting nothing.
  const negotiator = new Negotiator({ headers: { accept: accept || undefined } });
  const chosen = negotiator.mediaType([type, "application/octet-stream"]);
  if (chosen === undefined) throw notAcceptable();
  return chosen;
}
