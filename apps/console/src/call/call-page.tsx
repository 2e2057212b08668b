// One call: who with whom and when, the player, what was said, and every field of the record.
import { effect, signal, useSignal, useSignalEffect } from "@preact/signals";
import { useEffect, useMemo, useRef } from "preact/hooks";
import type { Access } from "../access.ts";
import { replace, toLink } from "../address.ts";
import { type Fault, isAbort, toFault } from "../faults.ts";
import type { MuteProgram } from "../mute/mute.ts";
import { Findings } from "../player/findings.tsx";
import { Player } from "../player/player.tsx";
import { findPlace, type Place } from "../player/place.ts";
import { letGo, openSound } from "../player/play.ts";
import { type Played, played, playOnOpen, shownSound } from "../player/playing.ts";
import type { Sound } from "../player/sound.ts";
import { type CallRoute, type Moment, parseRoute, writeRoute } from "../route.ts";
import { latestRoute } from "../search/latest.ts";
import { noticeRefusal } from "../session.ts";
import { callWords } from "../text/call-words.ts";
import { text } from "../text/text.ts";
import { showSeconds } from "../time.ts";
import { copy } from "../ui/copy.ts";
import { FaultNotice } from "../ui/fault-notice.tsx";
import { useKeys } from "../ui/keys.ts";
import { useAccessTab } from "./access-tab.tsx";
import { Contact } from "./contact.tsx";
import { Crumbs, useNeighbourKeys } from "./crumbs.tsx";
import { Fields } from "./fields.tsx";
import { Heading } from "./heading.tsx";
import { toLength } from "./length.ts";
import { findPassage, type Line, toLead, toLines, toRecorded, toSecond } from "./lines.ts";
import { type Call, type Leg, loadCall } from "./load.ts";
import { isSameRoute, toContact } from "./timeline.ts";
import { Transcript } from "./transcript.tsx";
import "../style/call.css";

interface CallPageProps {
  readonly route: CallRoute;
  readonly access: Access;
}

export function CallPage({ route, access }: CallPageProps) {
  const t = text.value;
  const c = callWords();
  const { call, fault, load } = useCall(route, access);
  const { value: found } = call;
  useEffect(() => {
    // The names of people stand in no history, so that the title has none.
    document.title = `${route.id} · ${t.product}`;
    scrollTo(0, 0);
  }, [route.id]);
  useNeighbourKeys();
  if (fault.value !== undefined)
    return (
      <main id="main" class="alone" tabIndex={-1}>
        <FaultNotice fault={fault.value} onRetry={load} />
      </main>
    );
  if (found === null)
    return (
      <main id="main" class="alone" tabIndex={-1}>
        <h1>{c.nothingHere}</h1>
        <p>{c.nothingHereHint(route.id)}</p>
        <p>
          <a class="button" href={writeRoute(latestRoute.value)}>
            {t.toSearch}
          </a>
        </p>
      </main>
    );
  return (
    <main id="main" class="call-page" tabIndex={-1}>
      <Crumbs route={route} />
      {found === undefined ? (
        <Waiting />
      ) : (
        <Loaded
          key={`${found.leg.route.by} ${found.leg.route.id} ${found.leg.route.leg}`}
          call={found}
          route={route}
          access={access}
        />
      )}
    </main>
  );
}

/** Null is nothing that may be seen; undefined is on its way. */
function useCall(route: CallRoute, { client }: Access) {
  const call = useSignal<Call | null | undefined>(undefined);
  const fault = useSignal<Fault | undefined>(undefined);
  const tries = useSignal(0);
  useEffect(() => {
    const aborter = new AbortController();
    fault.value = undefined;
    loadCall(client, route, aborter.signal).then(
      (found) => (call.value = found ?? null),
      (error: unknown) => {
        if (isAbort(error)) return;
        noticeRefusal(error);
        fault.value = toFault(error);
      },
    );
    return () => aborter.abort();
  }, [client, route.by, route.id, route.leg, tries.value]);
  return { call, fault, load: () => tries.value++ };
}

function Waiting() {
  return (
    <>
      <header class="about">
        <h1>
          <span role="status">{callWords().loading}</span>
        </h1>
      </header>
      <div class="player" />
    </>
  );
}

interface LoadedProps {
  readonly call: Call;
  readonly route: CallRoute;
  readonly access: Access;
}

function Loaded({ call, route, access }: LoadedProps) {
  const { leg, legs, messages } = call;
  const part =
    route.part !== undefined && leg.parts.includes(route.part) ? route.part : leg.parts[0];
  const contact = useMemo(() => toContact(legs, leg), [call]);
  const sound = useSound({ access, leg, legs: contact, part, route });
  const playLeg = (to: Leg, at: number) => {
    if (to === leg && sound !== undefined) {
      sound.seek(at);
      void sound.play();
      return;
    }
    playOnOpen.value = to.parts.length > 0;
    replace(toLegRoute(route, to, { from: Math.floor(at), to: undefined }));
  };
  const openPart = (to: number) => {
    // Who listens goes on listening.
    if (sound?.isPlaying.value) void openSound({ access, leg, legs: contact, part: to }).play();
    replace({ ...route, part: to, at: undefined });
  };
  useKeptPlace(sound, leg);
  const lengths = useLengths(sound);
  const recorded = toRecorded(leg, part, lengths);
  const lines = useMemo(
    () => toLines(leg.record, messages, recorded),
    [call, recorded.startMs, recorded.endMs],
  );
  useHit({ access, leg, route, sound, lines, lengths });
  const { toCallMuting, MutePanel } = useMuteProgram() ?? {};
  const muting = toCallMuting?.({ call, sound, lines });
  const isFirst = part === leg.parts[0];
  const { tabs, panel } = useAccessTab(access, leg, legs);
  const share = () =>
    void shareCall({ ...route, ...leg.route, part: isFirst ? undefined : part }, sound);
  useKeys({ l: share });
  return (
    <>
      <Heading leg={leg} sound={sound} access={access} onShare={share} />
      {contact.length > 1 && <Contact leg={leg} legs={contact} sound={sound} onPlay={playLeg} />}
      {sound === undefined ? (
        <p class="silent quiet">{text.value.noRecording}</p>
      ) : (
        <Player
          key={part}
          sound={sound}
          lines={lines}
          parts={leg.parts}
          looked={route}
          onPart={openPart}
          muting={muting}
        />
      )}
      {sound !== undefined && <Findings sound={sound} />}
      {sound !== undefined && muting !== undefined && MutePanel !== undefined && (
        <MutePanel key={part} muting={muting} sound={sound} />
      )}
      <div class="read">
        {panel ?? (
          <Transcript
            lines={lines}
            sound={sound}
            route={route}
            isLater={!isFirst && messages.length > 0}
            muting={muting}
            legs={contact.filter(({ record }) => record.call_id === leg.record.call_id)}
            leg={leg}
            onPlayLeg={playLeg}
            tabs={tabs}
          />
        )}
        <Fields
          leg={leg}
          others={legs.filter((one) => !contact.some((own) => isSameRoute(own, one)))}
          sound={sound}
        />
      </div>
    </>
  );
}

const muteProgram = signal<MuteProgram | undefined>(undefined);

/** Undefined until it is there: a call is read without it. */
function useMuteProgram() {
  useEffect(() => {
    void import("../mute/mute.ts").then(({ program }) => (muteProgram.value = program));
  }, []);
  return muteProgram.value;
}

/** Copies the address of what is repeated, else of the second that is heard. */
async function shareCall(route: CallRoute, sound: Sound | undefined): Promise<void> {
  const at = sound === undefined ? 0 : Math.floor(sound.time.value);
  const { value: loop } = sound?.loop ?? { value: undefined };
  const moment =
    loop?.to === undefined
      ? { from: at, to: undefined }
      : { from: Math.floor(loop.from), to: Math.ceil(loop.to) };
  const isMoment = at > 0 || moment.to !== undefined;
  const link = toLink({ ...route, at: isMoment ? moment : undefined, find: "", words: "" });
  await copy(link, at > 0 ? callWords().copiedLinkAt(showSeconds(at)) : callWords().copiedLink);
}

/** How long the recordings are of which it is known, by their numbers. */
function useLengths(sound: Sound | undefined): Map<number, number> {
  const { current: lengths } = useRef(new Map<number, number>());
  const length = sound && toLength(sound);
  if (sound !== undefined && length !== undefined) lengths.set(sound.which.part, length);
  return lengths;
}

/** The page of another leg of the contact, with what is looked for in this one. */
const toLegRoute = ({ find, words }: CallRoute, { route }: Leg, at?: Moment): CallRoute => ({
  ...route,
  find,
  words,
  at,
});

interface HitOf {
  readonly access: Access;
  readonly leg: Leg;
  readonly route: CallRoute;
  readonly sound: Sound | undefined;
  readonly lines: readonly Line[];
  readonly lengths: Map<number, number>;
}

/** A call that was found by words is where they were said, unless somebody was in it already. */
function useHit({ access, leg, route, sound, lines, lengths }: HitOf): void {
  useEffect(() => {
    const goesOn = playOnOpen.peek();
    playOnOpen.value = false;
    if (sound === undefined) return undefined;
    const aborter = new AbortController();
    const line = lines[findPassage(lines, route.words)?.message ?? -1];
    const second = line && toSecond(leg, line);
    const isFresh = route.at === undefined && sound.time.peek() === 0;
    const start = () => {
      if (goesOn && !aborter.signal.aborted) void sound.play();
    };
    const go = (place: Place | undefined) => {
      if (aborter.signal.aborted) return;
      if (place === undefined || second === undefined) return start();
      place.lengths.forEach((seconds, part) => lengths.set(part, seconds));
      const from = toLead(second - place.from);
      if (place.part === sound.which.part) {
        sound.seek(from);
        start();
      } else {
        playOnOpen.value = goesOn;
        replace({ ...route, part: place.part, at: { from: Math.floor(from), to: undefined } });
      }
    };
    const isAsked = second !== undefined && isFresh && route.part === undefined;
    if (isAsked) findPlace(access, leg, { second, signal: aborter.signal }).then(go, start);
    else {
      // The address names the recording.
      if (isFresh && line?.at !== undefined) sound.seek(toLead(line.at));
      start();
    }
    return () => aborter.abort();
  }, [sound]);
}

interface SoundOf {
  readonly access: Access;
  readonly leg: Leg;
  readonly legs: readonly Leg[];
  readonly part: number | undefined;
  readonly route: CallRoute;
}

/** A pause is kept in the address: a page that is loaded anew goes on there. */
function useKeptPlace(sound: Sound | undefined, { parts, route }: Leg): void {
  useEffect(() => {
    let wasPlaying = false;
    return effect(() => {
      const isOn = sound?.isPlaying.value === true;
      if (wasPlaying && !isOn && sound !== undefined) keep(sound);
      wasPlaying = isOn;
    });
  }, [sound]);

  const keep = ({ which, time, length, loop }: Sound) => {
    // The browser may be on its way to another page.
    const now = parseRoute(location.hash);
    if (now.page !== "call" || toPlace(now) !== toPlace(route)) return;
    // A span that is played again and again stays in the address.
    if ((now.part ?? parts[0]) !== which.part || loop.peek() !== undefined) return;
    const from = Math.floor(time.peek());
    const isInside = from > 0 && from < length.peek() - 1;
    replace({ ...now, at: isInside ? { from, to: undefined } : undefined });
  };
}

const toPlace = ({ by, id, leg }: CallRoute): string => JSON.stringify([by, id, leg]);

/** What plays already goes on; of another recording only the head is requested until it is played. */
function useSound({ access, leg, legs, part, route }: SoundOf): Sound | undefined {
  const sound = useMemo(
    () => (part === undefined ? undefined : openSound({ access, leg, legs, part, at: route.at })),
    [access, leg.record, part],
  );
  useEffect(() => {
    shownSound.value = sound;
    return () => {
      // The page of another leg may show its own by now.
      if (shownSound.peek() === sound) shownSound.value = undefined;
      if (sound !== undefined) letGo(sound);
    };
  }, [sound]);
  const before = useRef<Played | undefined>(played.peek());
  useSignalEffect(() => {
    const { value: now } = played;
    const { current: last } = before;
    before.current = now;
    if (now === last) return;
    // The page goes along with the recording that it shows.
    if (now?.sound === undefined || last?.sound === undefined || last.sound !== sound) return;
    if (now.leg === leg) replace({ ...route, part: now.sound.which.part, at: undefined });
    else if (legs.some((one) => isSameRoute(one, now.leg))) replace(toLegRoute(route, now.leg));
  });
  // A link to another second of the call that is open.
  const opened = useRef(route.at);
  useEffect(() => {
    const isThere = Math.floor(sound?.time.peek() ?? 0) === route.at?.from;
    if (route.at !== undefined && route.at !== opened.current && !isThere)
      sound?.seek(route.at.from);
    opened.current = route.at;
  }, [route.at?.from]);
  return sound;
}
