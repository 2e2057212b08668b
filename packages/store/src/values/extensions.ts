// The file extensions of a media type, for people and for programs that go by them.

const EXTENSIONS: Readonly<Record<string, string>> = {
  "audio/wav": ".wav",
  "audio/x-wav": ".wav",
  "audio/wave": ".wav",
  "audio/mpeg": ".mp3",
  "audio/mp3": ".mp3",
  "audio/x-mp3": ".mp3",
  "audio/mp4": ".m4a",
  "audio/x-mp4": ".m4a",
  "audio/ogg": ".ogg",
  "audio/flac": ".flac",
  "audio/webm": ".webm",
  "video/mp4": ".mp4",
  "video/x-mp4": ".mp4",
  "video/ogg": ".ogv",
  "video/webm": ".webm",
};

/** With the dot; "" for a type that is not known. Parameters of the type do not matter. */
export function toExtension(type: string): string {
  return EXTENSIONS[type.split(";")[0]?.trim() ?? ""] ?? "";
}
