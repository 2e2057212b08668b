// Saves a recording unchanged: the bytes are checked before they become a file.
import { ProtocolError } from "@call-media/client";
import { useSignal } from "@preact/signals";
import type { Access } from "../access.ts";
import { toFault } from "../faults.ts";
import { markedAs } from "../marked.ts";
import { readRecording } from "../player/recording.ts";
import type { Sound } from "../player/sound.ts";
import { OBSTACLE_WORDS } from "../text/obstacle-words.ts";
import { callWords } from "../text/call-words.ts";
import { language, showBytes, text } from "../text/text.ts";
import { Icon } from "../ui/icon.tsx";
import { offer } from "../ui/offer.ts";
import { say } from "../ui/toast.tsx";

interface SaveProps {
  readonly sound: Sound;
  readonly access: Access;
}

export function Save({ sound, access }: SaveProps) {
  const c = callWords();
  const isBusy = useSignal(false);
  const { value: head } = sound.head;
  if (head === undefined) return null;
  const save = async () => {
    isBusy.value = true;
    try {
      const { content, contentType, filename } = await readRecording(
        markedAs(access, "save"),
        head,
      );
      const { call_id, ref_id } = sound.which.record;
      offer(
        new Blob([content], { type: contentType }),
        filename ?? call_id ?? ref_id ?? "recording",
      );
    } catch (error) {
      say(
        error instanceof ProtocolError
          ? OBSTACLE_WORDS[language.value].obstacles["other-bytes"].title
          : text.value.faults[toFault(error).kind].title,
      );
    }
    isBusy.value = false;
  };
  return (
    <button type="button" class="button" disabled={isBusy.value} onClick={() => void save()}>
      <Icon name="save" />
      {c.save}
      {head.bytes !== undefined && <span class="quiet number">{showBytes(head.bytes)}</span>}
    </button>
  );
}
