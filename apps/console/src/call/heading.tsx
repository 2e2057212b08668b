// The heading of a call: the parties, the time, and the actions.
import type { Access } from "../access.ts";
import { agentOf, customerOf, valueOf } from "../fields.ts";
import type { Sound } from "../player/sound.ts";
import { callWords } from "../text/call-words.ts";
import { text } from "../text/text.ts";
import { nameRecorded, showSeconds, toShown, zone } from "../time.ts";
import { copy } from "../ui/copy.ts";
import { Icon } from "../ui/icon.tsx";
import type { Leg } from "./load.ts";
import { Save } from "./save.tsx";

interface HeadingProps {
  readonly leg: Leg;
  readonly sound: Sound | undefined;
  readonly access: Access;
  readonly onShare: () => void;
}

export function Heading({ leg: { record }, sound, access, onShare }: HeadingProps) {
  const t = text.value;
  const c = callWords();
  const agent = agentOf(record);
  const { call_id } = record;
  const talk = valueOf(record, "talk_time");
  return (
    <header class="about">
      <h1>
        <bdi>{customerOf(record) || t.nobody}</bdi>{" "}
        {agent !== "" && <small>{c.withAgent(agent)}</small>}
      </h1>
      <div class="do">
        <button type="button" class="button" title={`${c.copyLink} (L)`} onClick={onShare}>
          <Icon name="link" />
          {c.copyLink}
        </button>
        {sound !== undefined && <Save sound={sound} access={access} />}
      </div>
      <ul class="facts">
        <li>
          <When datetime={record.datetime} />
        </li>
        {[record.campaign, record.disposition].map(
          (fact) => fact !== null && <li key={fact}>{fact}</li>,
        )}
        {talk !== "" && <li class="number">{showSeconds(Number(talk))}</li>}
        {call_id !== null && (
          <li>
            <button
              type="button"
              class="id"
              aria-label={c.copyCallId(call_id)}
              title={c.copyCallId(call_id)}
              onClick={() => void copy(call_id, c.copied(call_id))}
            >
              <bdi class="cut">{call_id}</bdi>
              <Icon name="copy" isSmall />
            </button>
          </li>
        )}
      </ul>
      {sound !== undefined && <IntegrityBadge sound={sound} />}
    </header>
  );
}

function When({ datetime }: { readonly datetime: string | null }) {
  const t = text.value;
  if (datetime === null) return <>{t.noTime}</>;
  const shown = toShown(datetime, zone.value);
  if (shown === undefined) return <bdi>{datetime}</bdi>;
  return (
    <time dateTime={datetime} title={nameRecorded(datetime)}>
      {shown.day}, {shown.exact} {shown.mark}
    </time>
  );
}

function IntegrityBadge({ sound }: { readonly sound: Sound }) {
  const c = callWords();
  const { value: integrity } = sound.integrity;
  if (integrity === "unchecked") return null;
  if (integrity === "checking" || integrity === "unannounced")
    return <span class="badge">{integrity === "checking" ? c.checking : c.unannounced}</span>;
  const isSame = integrity === "same";
  return (
    <span class={`badge ${isSame ? "good" : "bad"}`} title={isSame ? c.sameHint : undefined}>
      <Icon name={isSame ? "same" : "alert"} isSmall />
      {isSame ? c.same : c.other}
    </span>
  );
}
