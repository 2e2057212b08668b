// The dialog of a hand-over: its content, its progress, and at the end the missing files and the seal.
import { listCompared } from "@call-media/conditions";
import {
  ALWAYS_MASKED,
  type Field,
  FILE_KINDS,
  type FileKind,
  type HandedOver,
  listMasked,
  MAX_VIEWER_CALLS,
  toFoundText,
} from "@call-media/handover";
import { useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useEffect, useMemo } from "preact/hooks";
import { FIELDS } from "../fields.ts";
import { signedIn, type SignedIn } from "../session.ts";
import { text } from "../text/text.ts";
import { copy } from "../ui/copy.ts";
import { Dialog } from "../ui/dialog.tsx";
import { FaultNotice } from "../ui/fault-notice.tsx";
import { type Choices, createHanding, estimate, type Step, toVerifyCommand } from "./handing.ts";
import type { Listing, Selection } from "./listing.ts";
import { Muted, ToMute } from "./muted.tsx";
import { hasFiles, MOST_IN_MEMORY } from "./target.ts";
import { words } from "./words.ts";
import "../style/hand-over.css";

interface HandOverDialogProps {
  readonly selection: Selection;
  readonly onClose: () => void;
}

export function HandOverDialog({ selection, onClose }: HandOverDialogProps) {
  const { value: who } = signedIn;
  return who === undefined ? null : <Opened who={who} selection={selection} onClose={onClose} />;
}

// Never offered: days are folders, files belong to a call by its identifiers, and names of recordings are masked with any other field.
const NEVER_CHOSEN: ReadonlySet<Field> = new Set(["datetime", "call_id", "ref_id", ALWAYS_MASKED]);

function Opened({ who, selection, onClose }: HandOverDialogProps & { readonly who: SignedIn }) {
  const w = words();
  const handing = useMemo(() => createHanding(who, selection), []);
  const choices = useSignal<Choices>({ files: FILE_KINDS, redact: [] });
  useEffect(() => {
    void handing.prepare();
    return handing.stop;
  }, []);
  const { value: step } = handing.step;
  useEffect(() => {
    if (step.kind !== "writing") return undefined;
    const warn = (event: Event) => event.preventDefault();
    addEventListener("beforeunload", warn);
    return () => removeEventListener("beforeunload", warn);
  }, [step.kind]);
  return (
    <Dialog title={w.title} onClose={onClose} footer={footerOf()}>
      <div class="hand-over">
        {step.kind === "ready" ? (
          <Choosing
            listing={step.listing}
            selection={selection}
            choices={choices}
            obstacle={handing.obstacle(step.listing, choices.value)}
          />
        ) : (
          <Status step={step} name={handing.name} onRetry={() => void handing.prepare()} />
        )}
        {step.kind === "ready" && (
          <Copied
            label={w.command}
            value={handing.command(step.listing, choices.value)}
            button={w.copyCommand}
            done={w.copiedCommand}
          />
        )}
      </div>
    </Dialog>
  );

  function footerOf(): ComponentChildren {
    if (step.kind === "ready") {
      const isBarred = handing.obstacle(step.listing, choices.value) !== undefined;
      return (
        <>
          <p class="quiet">{w.isRecorded}</p>
          <button
            type="button"
            class="button main"
            disabled={isBarred}
            onClick={() => void handing.write(step.listing, choices.value)}
          >
            {w.save}
          </button>
        </>
      );
    }
    if (step.kind === "stopped" || step.kind === "too large")
      return (
        <button type="button" class="button" onClick={() => void handing.prepare()}>
          {w.again}
        </button>
      );
    if (step.kind === "done" || step.kind === "failed") return undefined;
    return (
      <button type="button" class="button" onClick={handing.stop}>
        {w.stop}
      </button>
    );
  }
}

interface ChoosingProps {
  readonly listing: Listing;
  readonly selection: Selection;
  readonly choices: { value: Choices };
  readonly obstacle: ReturnType<ReturnType<typeof createHanding>["obstacle"]>;
}

function Choosing({ listing, selection, choices, obstacle }: ChoosingProps) {
  const w = words();
  const { query } = selection;
  const { files, redact } = choices.value;
  // Masked fields may be searched for presence: they still reveal whether there is a value.
  const searched = new Set<string>([
    ...Object.keys(query.body),
    ...query.conditions.flatMap(listCompared),
  ]);
  const choose = (kind: FileKind, isChosen: boolean) => {
    const chosen = FILE_KINDS.filter((one) => (one === kind ? isChosen : files.includes(one)));
    choices.value = { files: chosen, redact };
  };
  const mask = (field: Field, isMasked: boolean) => {
    const next = FIELDS.filter((one) => (one === field ? isMasked : redact.includes(one)));
    // Like --redact: masking the first field clears the choice of files, in which people say names.
    choices.value = { files: redact.length === 0 && isMasked ? [] : files, redact: next };
  };
  const size = estimate(listing, choices.value);
  // A search by a masked field would reveal its value.
  const isBarred = (field: Field) =>
    query.words !== "" ||
    listMasked({ redact: [field], files: [] }).some((one) => searched.has(one));
  return (
    <>
      <p>{w.what}</p>
      <p class="content" role="status">
        {w.content(listing)}
      </p>
      <NotFound ids={listing.ids} />
      {obstacle !== undefined && (
        <p class="wrong" role="alert">
          {obstacle === "nothing"
            ? w.nothing
            : obstacle === "zip"
              ? w.tooLarge(size.bytes, size.files)
              : w.tooLargeForMemory(size.bytes, MOST_IN_MEMORY)}
        </p>
      )}
      <fieldset>
        <legend>{w.include}</legend>
        {FILE_KINDS.map((kind) => (
          <label key={kind} class="check">
            <input
              type="checkbox"
              checked={files.includes(kind)}
              onChange={({ currentTarget }) => choose(kind, currentTarget.checked)}
            />
            {w[kind]}
          </label>
        ))}
      </fieldset>
      <details>
        <summary>
          {w.mask}: {w.maskedCount(redact.length)}
        </summary>
        <p class="quiet">{w.maskHint}</p>
        <div class="fields">
          {FIELDS.filter((field) => !NEVER_CHOSEN.has(field)).map((field) => (
            <label key={field} class="check" title={isBarred(field) ? w.searchedBy : undefined}>
              <input
                type="checkbox"
                checked={redact.includes(field)}
                disabled={isBarred(field)}
                onChange={({ currentTarget }) => mask(field, currentTarget.checked)}
              />
              {text.value.fields[field]}
            </label>
          ))}
        </div>
      </details>
      <ToMute listing={listing} />
      {listing.records.length > MAX_VIEWER_CALLS && <p>{w.noViewer(MAX_VIEWER_CALLS)}</p>}
      {!hasFiles() && <p class="quiet">{w.inMemory(MOST_IN_MEMORY)}</p>}
    </>
  );
}

interface StatusProps {
  readonly step: Exclude<Step, { readonly kind: "ready" }>;
  readonly name: string;
  readonly onRetry: () => void;
}

function Status({ step, name, onRetry }: StatusProps) {
  const w = words();
  if (step.kind === "failed") return <FaultNotice fault={step.fault} onRetry={onRetry} />;
  if (step.kind === "done") return <Done handedOver={step.handedOver} name={name} />;
  if (step.kind === "stopped") return <p role="status">{w.stopped}</p>;
  if (step.kind === "too large") return <p role="alert">{w.grewTooLarge}</p>;
  if (step.kind !== "writing") {
    const { done, total } = step;
    return (
      <>
        <p role="status">
          {step.kind === "reading" ? w.reading(done, total) : w.weighing(done, total ?? done)}
        </p>
        <progress
          aria-label={w.title}
          value={total === undefined ? undefined : done}
          max={total || 1}
        />
      </>
    );
  }
  const { progress, listing } = step;
  const count = listing.records.length;
  return (
    <>
      <p role="status">
        {progress.calls === count ? w.finishing : w.writing(progress.calls, count)}
      </p>
      <progress aria-label={w.title} value={progress.calls} max={count} />
      <p class="quiet">
        {w.received(progress.bytes)}
        {progress.failures > 0 && `, ${w.notReceived(progress.failures)}`}
      </p>
    </>
  );
}

function NotFound({ ids }: Pick<Listing, "ids">) {
  if (ids === undefined || ids.missing.length === 0) return null;
  return (
    <p class="wrong" role="alert">
      {words().notFound(ids.asked, ids.missing)}
    </p>
  );
}

function Done({ handedOver, name }: { readonly handedOver: HandedOver; readonly name: string }) {
  const w = words();
  const { report, seal, bytes, failures, hasViewer } = handedOver;
  const { files } = report;
  const found = toFoundText(report, w.found);
  const isComplete = report.verdict !== "incomplete";
  const missing = files.expected - files.complete;
  const hasDrifted = report.windows.some(({ verdict }) => verdict === "drifted");
  return (
    <>
      <p role="status">
        <strong>{w.saved(name, bytes)}</strong>{" "}
        {isComplete ? w.complete(found) : w.incomplete(found, { missing, hasDrifted })}
      </p>
      <NotFound ids={report.ids} />
      <Muted report={report} />
      {failures.length > 0 && (
        <ul class="failures">
          {failures.map(({ first, count }) => (
            <li key={`${first.call_id} ${first.kind} ${first.part}`}>
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
          ))}
        </ul>
      )}
      {!hasViewer && <p>{w.noViewer(MAX_VIEWER_CALLS)}</p>}
      <Copied label={w.seal} value={seal} button={w.copySeal} done={w.copiedSeal} />
      <p class="quiet">{w.sealHint}</p>
      <Copied
        label={w.verify}
        value={toVerifyCommand(name, seal)}
        button={w.copyCommand}
        done={w.copiedCommand}
      />
    </>
  );
}

interface CopiedProps {
  readonly label: string;
  readonly value: string;
  readonly button: string;
  readonly done: string;
}

/** A text to copy, with its label. */
function Copied({ label, value, button, done }: CopiedProps) {
  return (
    <div class="copied">
      <span class="quiet">{label}</span>
      <code tabIndex={0} role="textbox" aria-readonly="true" aria-label={label}>
        {value}
      </code>
      <button type="button" class="button" onClick={() => void copy(value, done)}>
        {button}
      </button>
    </div>
  );
}
