// One call: who with whom and when, the player, what was said, and every field of the record.
import { signal, useSignal } from "@preact/signals";
import { useEffect, useMemo } from "preact/hooks";
import type { Access } from "../access.ts";
import { replace, toLink } from "../address.ts";
import { type Fault, isAbort, toFault } from "../faults.ts";
import type { CallMuting } from "../mute/call-muting.ts";
import type { MuteProgram } from "../mute/mute.ts";
import { Findings } from "../player/findings.tsx";
import { Player } from "../player/player.tsx";
import { openSound } from "../player/play.ts";
import { playOnOpen } from "../player/playing.ts";
import type { Sound } from "../player/sound.ts";
import { type CallRoute, writeRoute } from "../route.ts";
import { latestRoute } from "../search/latest.ts";
import { noticeRefusal } from "../session.ts";
import { callWords } from "../text/call-words.ts";
import { text } from "../text/text.ts";
import { showSeconds } from "../time.ts";
import { copy } from "../ui/copy.ts";
import { FaultNotice } from "../ui/fault-notice.tsx";
import { useKeys } from "../ui/keys.ts";
import { useAccessTab } from "./access-tab.tsx";
import { toLegRoute, useHit, useKeptPlace, useLengths, useSound } from "./call-sound.ts";
import { Contact } from "./contact.tsx";
import { Crumbs, useNeighbourKeys } from "./crumbs.tsx";
import { Fields } from "./fields.tsx";
import { Heading } from "./heading.tsx";
import { type Line, toLines, toRecorded } from "./lines.ts";
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

function Loaded(props: LoadedProps) {
  const { call, route, access } = props;
  const { leg, legs, messages } = call;
  const part =
    route.part !== undefined && leg.parts.includes(route.part) ? route.part : leg.parts[0];
  const contact = useMemo(() => toContact(legs, leg), [call]);
  const sound = useSound({ access, leg, legs: contact, part, route });
  useKeptPlace(sound, leg);
  const lengths = useLengths(sound);
  const recorded = toRecorded(leg, part, lengths);
  const lines = useMemo(
    () => toLines(leg.record, messages, recorded),
    [call, recorded.startMs, recorded.endMs],
  );
  useHit({ access, leg, route, sound, lines, lengths });
  const isFirst = part === leg.parts[0];
  const share = () =>
    void shareCall({ ...route, ...leg.route, part: isFirst ? undefined : part }, sound);
  useKeys({ l: share });
  const shown = { ...props, sound, lines, contact };
  const program = useMuteProgram();
  const muting = program?.toCallMuting({ call, sound, lines });
  return (
    <>
      <Heading leg={leg} sound={sound} access={access} onShare={share} />
      {contact.length > 1 && (
        <Contact
          leg={leg}
          legs={contact}
          sound={sound}
          onPlay={(to, at) => playLeg(shown, to, at)}
        />
      )}
      {sound === undefined ? (
        <p class="silent quiet">{text.value.noRecording}</p>
      ) : (
        <>
          <Player
            key={part}
            sound={sound}
            lines={lines}
            parts={leg.parts}
            looked={route}
            onPart={(to) => openPart(shown, to)}
            muting={muting}
          />
          <Findings sound={sound} />
          {program !== undefined && muting !== undefined && (
            <program.MutePanel key={part} muting={muting} sound={sound} />
          )}
        </>
      )}
      <Written {...shown} muting={muting} isLater={!isFirst && messages.length > 0} />
    </>
  );
}

/** A call on its page. */
interface Shown extends LoadedProps {
  readonly sound: Sound | undefined;
  readonly lines: readonly Line[];
  /** The legs that are heard one after the other. */
  readonly contact: readonly Leg[];
}

function playLeg({ call, sound, route }: Shown, to: Leg, at: number): void {
  if (to === call.leg && sound !== undefined) {
    sound.seek(at);
    void sound.play();
    return;
  }
  playOnOpen.value = to.parts.length > 0;
  replace(toLegRoute(route, to, { from: Math.floor(at), to: undefined }));
}

function openPart({ call: { leg }, contact, sound, route, access }: Shown, part: number): void {
  // A recording that plays continues.
  if (sound?.isPlaying.value) void openSound({ access, leg, legs: contact, part }).play();
  replace({ ...route, part, at: undefined });
}

interface WrittenProps extends Shown {
  readonly muting: CallMuting | undefined;
  readonly isLater: boolean;
}

/** The transcript or the access log, next to the fields. */
function Written({ muting, isLater, ...shown }: WrittenProps) {
  const { call, route, access, sound, lines, contact } = shown;
  const { leg, legs } = call;
  const { tabs, panel } = useAccessTab(access, leg, legs);
  return (
    <div class="read">
      {panel ?? (
        <Transcript
          lines={lines}
          sound={sound}
          route={route}
          isLater={isLater}
          muting={muting}
          legs={contact.filter(({ record }) => record.call_id === leg.record.call_id)}
          leg={leg}
          onPlayLeg={(to, at) => playLeg(shown, to, at)}
          tabs={tabs}
        />
      )}
      <Fields
        leg={leg}
        others={legs.filter((one) => !contact.some((own) => isSameRoute(own, one)))}
        sound={sound}
      />
    </div>
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
