// The bytes of recordings. Each content is stored once, under its SHA-256.
import type { SoundFacts } from "@call-media/sound";
import type { Finding } from "./finding.ts";
import type { LedgerPlace } from "./ledger.ts";

/** A recording's content, named by its SHA-256. */
export interface Media {
  /** 64 lower-case hexadecimal digits, computed at import. */
  readonly sha256: string;
  readonly bytes: number;
  /** The media type detected in the bytes, else the declared one, else application/octet-stream (D16). */
  readonly type: string;
  /** When the source was last modified before the import, in ms since 1970. */
  readonly modifiedMs: number;
  /** Facts about its audio from the import; undefined if it was not inspected. */
  readonly sound?: SoundFacts | undefined;
  /** The state in which the media store last verified this content. Only the media store can read it. */
  readonly version?: string | undefined;
  /** The path of a recording that the media store does not keep itself. Only the media store can read it. */
  readonly location?: string | undefined;
}

/** Bytes `first` to `last`, both inclusive. */
export interface ByteRange {
  readonly first: number;
  readonly last: number;
}

/** The bytes of a range, read sequentially. Ends when closed. */
export interface OpenMedia {
  /**
   * Fills `buffer` with the next bytes, with fewer than its length only at the end of the range. Throws `StoreFault` if the
   * content ends before the range does.
   */
  read(buffer: Uint8Array): Promise<number>;
  close(): Promise<void>;
}

export interface PresignGrant {
  /** How long the URL is valid for starting a download. */
  readonly seconds: number;
  /** The Content-Type and the Content-Disposition that the place sends. */
  readonly type: string;
  readonly disposition: string;
}

/** A file in a media store. */
export interface StoredMedia {
  /** The name that `delete` accepts, and by which an operator finds the file. */
  readonly name: string;
  /** The digest of a finished recording; undefined for an unfinished one, and for other files. */
  readonly sha256?: string | undefined;
  readonly bytes: number;
  /** The last modification, in ms since 1970. */
  readonly modifiedMs: number;
  /** True if it belongs to a `put` that was interrupted, or is not finished yet. */
  readonly isUnfinished: boolean;
}

/** Called with each chunk that was read. The chunk must be consumed before the next. */
export type OnRead = (piece: Uint8Array) => void;

/** A file that a media store may not delete yet. */
export interface Retained {
  /** As `list` returns it. */
  readonly name: string;
  /** The reason, such as "object lock until 2030-01-01T00:00:00Z". */
  readonly by: string;
}

/**
 * The bytes of the archive's recordings. Every function throws `StoreFault`: `unavailable` if the place cannot be reached, `lost`
 * if the content is missing there.
 */
export interface MediaStore {
  /** Stores a copy, unless the content is already there. Throws `MediaRejected`. */
  put(source: MediaSource): Promise<Media>;
  /** Records the path of a file that stays there, if the media store supports that. Throws `MediaRejected`. */
  link?(source: MediaSource & { readonly path: string }): Promise<Media>;
  /**
   * Opens all of it without `range`. A content whose state differs from `media.version` is read completely before this resolves. Throws
   * `StoreFault` if it is missing, or differs from the import.
   */
  open(media: Media, range?: ByteRange): Promise<OpenMedia>;
  /**
   * A URL with which anyone can read the content from the place itself, for places that are reached over HTTPS. Throws
   * `StoreFault` as `open` does.
   */
  presign?(media: Media, grant: PresignGrant): Promise<string>;
  /**
   * Deletes by the SHA-256, or by the name that `list` returns, with all versions. A missing file counts as deleted. Returns the reason
   * if the place itself does not release the file.
   */
  delete(name: string): Promise<Retained | undefined>;
  /** All files that the media store keeps itself. */
  list(): AsyncIterable<StoredMedia>;
  /** Reads all of it and returns the current state. Throws `StoreFault` if it is missing, or differs from the import. */
  verify(media: Media, onRead?: OnRead): Promise<Media>;
  /**
   * Notes the archive that owns these recordings, unless one is noted. For places that several archives could share by mistake. Called
   * before the first `put`, and before an erasure deletes what no record names. Throws `ArchiveError` if another archive is noted.
   */
  claim?(archiveId: string): Promise<void>;
  /** Throws if the place cannot be reached now. For places that may be unavailable while the records are available. */
  reach?(): Promise<void>;
  /** Small texts next to the recordings. For places that a person with write access to the records may not be able to change. */
  readonly notes?: MediaNotes;
  /** The ledger of erasures. For places apart from the database. */
  readonly ledger?: LedgerPlace;
  /** Faults of the place itself, such as a missing permission; changes nothing there. */
  check?(): Promise<readonly Finding[]>;
}

/**
 * Texts by names of lower-case letters, digits and hyphens; `list` returns none of them. Throws `StoreFault`, soon if the place is
 * unreachable.
 */
export interface MediaNotes {
  /** Undefined if there is none. */
  read(name: string): Promise<string | undefined>;
  /** Replaces an earlier one atomically. */
  write(name: string, text: string): Promise<void>;
}

/** Digest algorithms, by their node:crypto names. */
export type DigestKind = "md5" | "sha1" | "sha224" | "sha256" | "sha384" | "sha512";

/** As lower-case hexadecimal digits. If there are several, each must match. */
export type Digests = Readonly<Partial<Record<DigestKind, string | undefined>>>;

/** The digests are those that the source states; the content must match them. */
export type MediaSource = MediaPlace &
  Digests & {
    /** The name of the recording. It indicates the codec if the bytes have no header. Default: the name of the file. */
    readonly filename?: string | undefined;
    /** The media type that the source states, for bytes that reveal none themselves: `audio/...` or `video/...`. */
    readonly type?: string | undefined;
  };

/** A file, by its absolute path without symbolic links, or bytes with a name for messages. */
type MediaPlace =
  | { readonly path: string }
  | { readonly name: string; readonly content: Uint8Array };
