// What browsers do not play, decoded to a WAV file that they do.

/** What it became, or the name of the codec for which there is no decoder here. */
export type Decoded = { readonly wav: Blob } | { readonly codec: string };

/** `announced` names the media type, where the bytes do not say what they are. */
export function decodeRecording(
  bytes: Uint8Array,
  announced: { readonly contentType: string; readonly filename: string | undefined } | undefined,
): Decoded {
  return { codec: nameCodec(bytes) ?? announced?.contentType ?? "it" };
}

/** By the bytes themselves, as their name may be wrong. */
function nameCodec(bytes: Uint8Array): string | undefined {
  const text = String.fromCharCode(...bytes.subarray(0, 64));
  if (text.startsWith("#!AMR-WB")) return "AMR-WB";
  if (text.startsWith("#!AMR")) return "AMR";
  return undefined;
}
