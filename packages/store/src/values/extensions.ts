// The file extensions of media types, for people and for programs that rely on them.

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

/** With the dot; "" for an unknown type. Parameters of the type are ignored. */
export function toExtension(type: string): string {
  return EXTENSIONS[type.split(";")[0]?.trim() ?? ""] ?? "";
}
