// The player below the list: one call, its recordings one after the other.
import type { CallRecord } from "@call-media/client";
import { useComputed, useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import type { Access } from "../access.ts";
import { go } from "../address.ts";
import { findLeg, type Leg } from "../call/load.ts";
import { type Fault, isAbort, toFault } from "../faults.ts";
import { customerOf } from "../fields.ts";
import { toSentences } from "../player/obstacle-notice.tsx";
import { STEP_SECONDS, step } from "../player/player-keys.ts";
import { playOnOpen } from "../player/playing.ts";
import { createSound, type Sound } from "../player/sound.ts";
import { noticeRefusal } from "../session.ts";
import { text } from "../text/text.ts";
import { showSeconds } from "../time.ts";
import { IconButton } from "../ui/button.tsx";
import { useKeys } from "../ui/keys.ts";
import { listened, listenedSound } from "./open-call.ts";

interface ListPlayerProps {
  readonly access: Access;
  readonly record: CallRecord;
}

export function ListPlayer({ access, record }: ListPlayerProps) {
  const t = text.value;
  const { leg, fault } = useLeg(access, record);
  useEffect(() => () => void (listened.value = undefined), []);
  return (
    <section class="below-bar list-player" aria-label={t.player}>
      {leg === undefined ? (
        <p class="grow" role="status">
          {fault === undefined ? t.loadingSound : t.faults[fault.kind].title}
        </p>
      ) : (
        <Playing access={access} leg={leg} />
      )}
      <IconButton
        icon="close"
        label={t.close}
        shortcut="Esc"
        onClick={() => (listened.value = undefined)}
      />
    </section>
  );
}

function useLeg({ client }: Access, record: CallRecord) {
  const leg = useSignal<Leg | undefined>(undefined);
  const fault = useSignal<Fault | undefined>(undefined);
  useEffect(() => {
    const aborter = new AbortController();
    leg.value = undefined;
    fault.value = undefined;
    const find = async () => {
      try {
        leg.value = await findLeg(client, record, aborter.signal);
        if (leg.value === undefined) fault.value = { kind: "missing" };
      } catch (error) {
        if (isAbort(error)) return;
        noticeRefusal(error);
        fault.value = toFault(error);
      }
    };
    void find();
    return () => aborter.abort();
  }, [client, record]);
  return { leg: leg.value, fault: fault.value };
}

function Playing({ access, leg }: { readonly access: Access; readonly leg: Leg }) {
  const t = text.value;
  const place = useSignal(0);
  const part = leg.parts[place.value];
  const sound = useSignal<Sound | undefined>(undefined);
  useEffect(() => {
    if (part === undefined) return undefined;
    const opened = createSound(
      access,
      { record: leg.record, part },
      { onEnd: () => (place.value = Math.min(place.value + 1, leg.parts.length - 1)) },
    );
    sound.value = opened;
    listenedSound.value = opened;
    void opened.play();
    return () => {
      opened.dispose();
      listenedSound.value = undefined;
    };
  }, [access, leg, part]);
  const open = () => {
    const { value: playing } = sound;
    playOnOpen.value = playing?.isPlaying.value ?? false;
    const from = Math.floor(playing?.time.value ?? 0);
    go({
      ...leg.route,
      part: place.value === 0 ? undefined : part,
      at: from > 0 ? { from, to: undefined } : undefined,
    });
  };
  return (
    <>
      {sound.value !== undefined && <Controls sound={sound.value} />}
      <p class="who">
        <bdi class="cut">{customerOf(leg.record) || t.nobody}</bdi>
        {leg.parts.length > 1 && <span class="quiet">{t.part(place.value + 1)}</span>}
      </p>
      <button type="button" class="button quiet" onClick={open}>
        {t.open}
      </button>
    </>
  );
}

function Controls({ sound }: { readonly sound: Sound }) {
  const t = text.value;
  useKeys({
    ArrowLeft: () => step(sound, -STEP_SECONDS),
    ArrowRight: () => step(sound, STEP_SECONDS),
  });
  const isOn = sound.isPlaying.value;
  const now = useComputed(() => Math.floor(sound.time.value));
  const { value: obstacle } = sound.obstacle;
  if (obstacle !== undefined)
    return (
      <p class="grow" role="alert">
        {toSentences(obstacle).title}
      </p>
    );
  const length = Math.floor(sound.length.value);
  return (
    <>
      <IconButton
        icon={isOn ? "pause" : "play"}
        label={isOn ? t.pause : t.play}
        shortcut="␣"
        onClick={sound.toggle}
      />
      <input
        class="grow"
        type="range"
        aria-label={t.position}
        aria-valuetext={t.positionOf(showSeconds(now.value), showSeconds(length))}
        min={0}
        max={Math.max(1, length)}
        value={now.value}
        onInput={(event) => sound.seek(Number(event.currentTarget.value))}
      />
      <span class="number">
        {showSeconds(now.value)} / {length > 0 ? showSeconds(length) : "–:––"}
      </span>
    </>
  );
}
