// A written hand-over: its seal, its mail, and its content.
import { type FailureGroup, type HandedOver as Written, toFoundText } from "@call-media/handover";
import { FAULT_KINDS } from "@call-media/sound";
import { useSignal } from "@preact/signals";
import { toLink } from "../address.ts";
import type { HandOverRoute } from "../route.ts";
import { writeRoute } from "../route.ts";
import { latestRoute, latestSearch } from "../search/latest.ts";
import { type Language, language, LANGUAGES, showNumber } from "../text/text.ts";
import { copy } from "../ui/copy.ts";
import { type Choices, type Handing, toVerifyCommand } from "./handing.ts";
import type { Listing } from "./listing.ts";
import { toMail } from "./mail.ts";
import { Fact } from "./preparing.tsx";
import { words } from "./words.ts";

interface HandedOverProps {
  readonly route: HandOverRoute;
  readonly handing: Handing;
  readonly listing: Listing;
  readonly handedOver: Written;
}

export function HandedOver(props: HandedOverProps) {
  const { route, handing, handedOver, listing } = props;
  const w = words();
  const back = latestSearch.value === undefined ? route.search : latestRoute.value;
  return (
    <>
      <h1>
        {w.done} <small role="status">{w.saved(handing.name, handedOver.bytes)}</small>
      </h1>
      <div>
        <Seal name={handing.name} seal={handedOver.seal} />
        <Mail {...props} />
      </div>
      <aside class="card" aria-labelledby="in-it">
        <h2 id="in-it">{w.inIt}</h2>
        <ul class="facts-list">
          <Verdict handedOver={handedOver} />
          <Proofs handedOver={handedOver} choices={handing.choices.value} />
        </ul>
        <a class="button" href="#/check">
          {w.checkHere}
        </a>
        <a class="button" href={writeRoute(back)}>
          {w.back(listing.calls)}
        </a>
      </aside>
    </>
  );
}

const toGroups = (seal: string): string => seal.replaceAll(/.{4}(?=.)/g, "$& ");

function Seal({ name, seal }: { readonly name: string; readonly seal: string }) {
  const w = words();
  return (
    <section aria-labelledby="seal">
      <h2 id="seal">{w.seal}</h2>
      <code class="seal" tabIndex={0} role="textbox" aria-readonly="true" aria-labelledby="seal">
        {toGroups(seal)}
      </code>
      <p class="quiet">{w.sealHint}</p>
      <p class="actions">
        <button
          type="button"
          class="button main"
          onClick={() => void copy(w.sealSentence(name, seal), w.copiedSeal)}
        >
          {w.copySeal}
        </button>
        <button
          type="button"
          class="button quiet"
          onClick={() => void copy(toVerifyCommand(name, seal), w.copiedCommand)}
        >
          {w.verifyCommand}
        </button>
      </p>
    </section>
  );
}

function Mail({ handing, listing, handedOver }: HandedOverProps) {
  const w = words();
  const chosen = useSignal<Language>(language.value);
  const mail = toMail(handedOver, {
    name: handing.name,
    listing,
    language: chosen.value,
    check: toLink({ page: "check" }),
  });
  return (
    <section aria-labelledby="mail">
      <h2 id="mail">
        {w.mail} <small>{w.mailHint}</small>
      </h2>
      <div class="mail" lang={chosen.value}>
        {mail}
      </div>
      <p class="actions">
        <button type="button" class="button main" onClick={() => void copy(mail, w.copiedMail)}>
          {w.copyMail}
        </button>
        <select
          aria-label={w.mailLanguage}
          value={chosen.value}
          // The select offers only the languages of the list.
          onChange={({ currentTarget }) => (chosen.value = currentTarget.value as Language)}
        >
          {Object.entries(LANGUAGES).map(([code, label]) => (
            <option key={code} value={code} lang={code}>
              {label}
            </option>
          ))}
        </select>
      </p>
    </section>
  );
}

function Verdict({ handedOver }: { readonly handedOver: Written }) {
  const w = words();
  const { report, failures } = handedOver;
  const found = toFoundText(report, w.found);
  if (report.verdict !== "incomplete")
    return (
      <Fact icon="same" kind="good">
        {w.complete(found)}
      </Fact>
    );
  const missing = report.files.expected - report.files.complete;
  const hasDrifted = report.windows.some(({ verdict }) => verdict === "drifted");
  const { ids } = report;
  return (
    <Fact icon="alert" kind="bad">
      {w.incomplete(found, { missing, hasDrifted })}
      {ids !== undefined && ids.missing.length > 0 && <p>{w.notFound(ids.asked, ids.missing)}</p>}
      {failures.length > 0 && (
        <ul class="failures">
          {failures.map((group) => (
            <FailureItem key={JSON.stringify(group.names)} group={group} />
          ))}
        </ul>
      )}
    </Fact>
  );
}

function FailureItem({ group: { first, count } }: { readonly group: FailureGroup }) {
  const w = words();
  return (
    <li>
      <bdi>
        {first.kind === "recording"
          ? w.recording(first.part, first.call_id ?? first.ref_id ?? "")
          : w.transcript(first.call_id ?? "")}
      </bdi>
      {count > 1 && ` ${w.andMore(count - 1)}`}
      {": "}
      {/* Only failures have no file. */}
      {w.failures[first.status as keyof typeof w.failures]}
      <span class="quiet"> {first.error}</span>
    </li>
  );
}

interface ProofsProps {
  readonly handedOver: Written;
  readonly choices: Choices;
}

function Proofs({ handedOver: { report, hasViewer }, choices }: ProofsProps) {
  const w = words();
  const { verified, muted, findings = {} } = report.files;
  const faults = FAULT_KINDS.filter((kind) => findings[kind] !== undefined).map(
    (kind) => `${showNumber(findings[kind] ?? 0)} ${w.soundFaults[kind] ?? kind}`,
  );
  const unmuted = report.mute?.missing ?? [];
  return (
    <>
      {verified.digest > 0 && (
        <Fact icon="same" kind="good">
          {w.verified(verified.digest, muted !== undefined)}
        </Fact>
      )}
      {muted !== undefined && (
        <Fact icon="muted" kind="good">
          {w.muted(muted.recordings, muted.spans, muted.seconds)}
        </Fact>
      )}
      {faults.length > 0 && (
        <Fact icon="alert" kind="bad">
          {w.faultySound(faults.join(", "))}
        </Fact>
      )}
      {unmuted.length > 0 && (
        <Fact icon="alert" kind="bad">
          {w.notMuted(unmuted)}
        </Fact>
      )}
      {report.redacted.length > 0 && (
        <Fact icon="lock">{w.hiddenKinds(choices.redact.length)}</Fact>
      )}
      {report.purpose !== undefined && (
        <Fact icon="info">
          {w.purpose}: <bdi>{report.purpose}</bdi>
        </Fact>
      )}
      {!hasViewer && <Fact icon="info">{w.noPage}.</Fact>}
    </>
  );
}
