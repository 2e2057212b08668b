// All fields of the record, in the groups in which people look for them; empty ones are folded away.
import type { MeasuredSound } from "@call-media/handover";
import { useSignal } from "@preact/signals";
import { type Field, type Group, GROUPS, NUMBERS, agentOf, valueOf } from "../fields.ts";
import type { Sound } from "../player/sound.ts";
import { writeRoute } from "../route.ts";
import { contactWords } from "../text/contact-words.ts";
import { callWords } from "../text/call-words.ts";
import { showBytes, showNumber, text } from "../text/text.ts";
import { nameRecorded, showSeconds, toShown, zone } from "../time.ts";
import { IconButton } from "../ui/button.tsx";
import { copy } from "../ui/copy.ts";
import { Icon } from "../ui/icon.tsx";
import type { Leg } from "./load.ts";

interface FieldsProps {
  readonly leg: Leg;
  /** Records of the same reference that are not of this contact. */
  readonly others: readonly Leg[];
  readonly sound: Sound | undefined;
}

const SHOWN: readonly Group[] = ["call", "customer", "agent", "numbers", "custom", "rights", "ids"];

export function Fields({ leg, others, sound }: FieldsProps) {
  const t = text.value;
  const c = callWords();
  const isAllShown = useSignal(false);
  const { record } = leg;
  const empty = SHOWN.flatMap((group) => [...GROUPS[group]]).filter(
    (field) => valueOf(record, field) === "",
  );
  return (
    <aside
      class={`fields${sound === undefined ? " is-high" : ""}`}
      tabIndex={0}
      aria-label={c.fieldsLabel}
    >
      {others.length > 0 && <Others others={others} />}
      {SHOWN.map((group) => {
        const fields = [...GROUPS[group]].filter(
          (field) => isAllShown.value || valueOf(record, field) !== "",
        );
        return (
          fields.length > 0 && (
            <section key={group}>
              <h2>{t.groups[group]}</h2>
              <dl>
                {fields.map((field) => (
                  <FieldView key={field} field={field} value={valueOf(record, field)} />
                ))}
              </dl>
            </section>
          )
        );
      })}
      {empty.length > 0 && (
        <button
          type="button"
          class="button quiet"
          aria-expanded={isAllShown.value}
          onClick={() => (isAllShown.value = !isAllShown.value)}
        >
          {c.emptyFields(empty.length)}
          <Icon name={isAllShown.value ? "up" : "down"} isSmall />
        </button>
      )}
      {sound?.head.value !== undefined && <Technical sound={sound} />}
    </aside>
  );
}

function FieldView({ field, value }: { readonly field: Field; readonly value: string }) {
  const t = text.value;
  const c = callWords();
  const label = t.fields[field];
  return (
    <div>
      <dt title={field}>{label}</dt>
      <dd>
        <FieldValue field={field} value={value} />
        {value !== "" && (
          <IconButton
            icon="copy"
            label={c.copyField(label)}
            class="copy"
            onClick={() => void copy(value, c.copied(label))}
          />
        )}
      </dd>
    </div>
  );
}

// A value becomes a link only by its characters, never by its declared kind.
const EMAIL = /^[\w.+-]+@[\w-]+(\.[\w-]+)+$/;

function FieldValue({ field, value }: { readonly field: Field; readonly value: string }) {
  if (value === "") return null;
  if (NUMBERS.has(field)) return <span class="number">{showSeconds(Number(value))}</span>;
  if (field === "datetime") {
    const shown = toShown(value, zone.value);
    if (shown === undefined) return <bdi>{value}</bdi>;
    return (
      <span title={nameRecorded(value)}>
        {shown.day}, {shown.exact} {shown.mark}
      </span>
    );
  }
  if (field === "customer_email" && EMAIL.test(value))
    return <a href={`mailto:${value}`}>{value}</a>;
  return <bdi>{value}</bdi>;
}

/** Calls of the same reference at another time. */
function Others({ others }: Pick<FieldsProps, "others">) {
  return (
    <section>
      <h2>{contactWords().others}</h2>
      <ol class="legs">
        {others.map(({ record, route }) => {
          const { day = "", time = "" } = toShown(record.datetime ?? "", zone.value) ?? {};
          return (
            <li key={writeRoute(route)}>
              <a href={writeRoute(route)}>
                <time>
                  {day}, {time}
                </time>
                <bdi class="cut">{agentOf(record) || text.value.nobody}</bdi>
                <span class="what">
                  {[record.campaign, record.disposition].filter(Boolean).join(" · ")}
                </span>
              </a>
            </li>
          );
        })}
      </ol>
    </section>
  );
}

/** Whole seconds and whole per cent: more would not be true of a measurement. */
function listTalk(measured: MeasuredSound | undefined) {
  const c = callWords();
  const { talk_percent: talk, longest_silence_ms, overtalk_percent } = measured ?? {};
  const showPercent = (value: number) => `${showNumber(value)} %`;
  const shares = talk?.map((share, at) =>
    talk.length === 1 ? showPercent(share) : `${c.channel(at + 1)} ${showPercent(share)}`,
  );
  return [
    [c.talkShare, shares?.join(", ")],
    [
      c.longestSilence,
      longest_silence_ms === undefined
        ? undefined
        : showSeconds(Math.round(longest_silence_ms / 1000)),
    ],
    [c.overtalk, overtalk_percent === undefined ? undefined : showPercent(overtalk_percent)],
  ] as const;
}

function Technical({ sound }: { readonly sound: Sound }) {
  const c = callWords();
  const { value: head } = sound.head;
  if (head === undefined) return null;
  const facts: readonly (readonly [string, string | undefined])[] = [
    [c.mediaType, head.contentType],
    [c.size, head.bytes === undefined ? undefined : showBytes(head.bytes)],
    [c.fileName, head.filename],
    [c.digest, head.sha256],
    ...listTalk(sound.measured.value),
    [c.request, head.requestId],
  ];
  return (
    <details>
      <summary>{c.technical}</summary>
      <dl>
        {facts.map(
          ([label, value]) =>
            value !== undefined && (
              <div key={label}>
                <dt>{label}</dt>
                <dd>
                  <bdi>{value}</bdi>
                </dd>
              </div>
            ),
        )}
      </dl>
    </details>
  );
}
