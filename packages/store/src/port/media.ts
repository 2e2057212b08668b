// The bytes of recordings: kept once for each content, under the SHA-256 of it.
import type { SoundFacts } from "@call-media/sound";
import type { Finding } from "./finding.ts";
import type { LedgerPlace } from "./ledger.ts";

/** A recording's content, named by its SHA-256. */
export interface Media {
  /** 64 lower-case hexadecimal digits, taken at import. */
  readonly sha256: string;
  readonly bytes: number;
  /** Media type found in the bytes, else the one that was declared, else application/octet-stream (D16). */
  readonly type: string;
  /** When the source was last changed before it was imported, in ms since 1970. */
  readonly modifiedMs: number;
  /** What its sound was found to be when it came in; undefined where nobody looked. */
  readonly sound?: SoundFacts | undefined;
  /** The state in which the media store last knew this content to be right; only the media store can read it. */
  readonly version?: string | undefined;
  /** Where a recording lies that the media store does not keep itself; only the media store can read it. */
  readonly location?: string | undefined;
}

/** Bytes `first` to `last`, both inclusive. */
export interface ByteRange {
  readonly first: number;
  readonly last: number;
}

/** The bytes of a range, one after the other; ends when closed. */
export interface OpenMedia {
  /**
   * Fills `buffer` with the next bytes; fewer than its length only at the end of the range. Throws `StoreFault` when the
   * content ends before the range does.
   */
  read(buffer: Uint8Array): Promise<number>;
  close(): Promise<void>;
}

export interface PresignGrant {
  /** How long a download can begin. */
  readonly seconds: number;
  /** What the place sends as Content-Type and Content-Disposition. */
  readonly type: string;
  readonly disposition: string;
}

/** Something that lies in a media store. */
export interface StoredMedia {
  /** The name that `delete` takes, by which an operator finds the file. */
  readonly name: string;
  /** The digest of a finished recording; undefined for an unfinished one, and for other files. */
  readonly sha256?: string | undefined;
  readonly bytes: number;
  /** When it was last written to, in ms since 1970. */
  readonly modifiedMs: number;
  /** True if it belongs to a `put` that was interrupted, or is not finished yet. */
  readonly isUnfinished: boolean;
}

/** Given the bytes that were read, piece by piece; a piece is to be used before the next. */
export type OnRead = (piece: Uint8Array) => void;

/** A file that a media store may not delete yet. */
export interface Retained {
  /** As `list` gives it. */
  readonly name: string;
  /** The reason, such as "object lock until 2030-01-01T00:00:00Z". */
  readonly by: string;
}

/**
 * The bytes of the archive's recordings. Everything throws `StoreFault`: `unavailable` when the place cannot be reached, `lost`
 * when the content is missing there.
 */
export interface MediaStore {
  /** Takes a copy; of a content that is there already nothing more is kept. Throws `MediaRejected`. */
  put(source: MediaSource): Promise<Media>;
  /** Records the place of a file that stays there, if the media store can. Throws `MediaRejected`. */
  link?(source: MediaSource & { readonly path: string }): Promise<Media>;
  /**
   * Without `range` all of it. A content whose state is another than `media.version` is read whole before this resolves. Throws
   * `StoreFault` when it is missing, or no longer what was imported.
   */
  open(media: Media, range?: ByteRange): Promise<OpenMedia>;
  /**
   * A URL by which anybody reads the content from the place itself; for places that are reached over HTTPS. Throws
   * `StoreFault` as `open` does.
   */
  presign?(media: Media, grant: PresignGrant): Promise<string>;
  /**
   * By the SHA-256, or the name that `list` gives, with all versions of it. A missing file counts as deleted. Gives
   * what keeps it, where the place itself does not let it go.
   */
  delete(name: string): Promise<Retained | undefined>;
  /** All that the media store keeps itself. */
  list(): AsyncIterable<StoredMedia>;
  /** Reads all of it; gives the state it has. Throws `StoreFault` when it is missing, or no longer what was imported. */
  verify(media: Media, onRead?: OnRead): Promise<Media>;
  /**
   * Notes whose recordings these are, where that is not noted yet. For places that several archives could share by mistake: called
   * before the first `put`, and before an erasure deletes what no record names. Throws `ArchiveError` when it is another archive.
   */
  claim?(archiveId: string): Promise<void>;
  /** Throws when the place cannot be reached now. For places that may be away while the records are there. */
  reach?(): Promise<void>;
  /** Small texts beside the recordings. For places that whoever can change the records may not be able to change. */
  readonly notes?: MediaNotes;
  /** Of erasures. For places apart from the database. */
  readonly ledger?: LedgerPlace;
  /** Faults of the place itself, such as a missing permission; changes nothing there. */
  check?(): Promise<readonly Finding[]>;
}

/** Texts by names of small letters, digits and hyphens; `list` gives none of them. Throws `StoreFault`, soon when the place is away. */
export interface MediaNotes {
  /** Undefined where there is none. */
  read(name: string): Promise<string | undefined>;
  /** Replaces an earlier one at once. */
  write(name: string, text: string): Promise<void>;
}

/** Kinds of digests, as node:crypto calls them. */
export type DigestKind = "md5" | "sha1" | "sha224" | "sha256" | "sha384" | "sha512";

/** As lower-case hexadecimal digits; of several all count. */
export type Digests = Readonly<Partial<Record<DigestKind, string | undefined>>>;

/** The digests are what the content has to have, when the source says so. */
export type MediaSource = MediaPlace &
  Digests & {
    /** The name of the recording, which stands for a codec where the bytes have no header. Default: that of the file. */
    readonly filename?: string | undefined;
    /** The media type that the source states: used for bytes that show none themselves. `audio/...` or `video/...`. */
    readonly type?: string | undefined;
  };

/** A file, by its absolute path without symbolic links, or bytes with a name for messages. */
type MediaPlace =
  | { readonly path: string }
  | { readonly name: string; readonly content: Uint8Array };
