// Compares a hand-over with its seal. The recipient need not sign in, and the file stays in the browser.
import { type OpenedHandOver, toFoundText } from "@call-media/handover";
import { type Signal, useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { showBytes } from "../text/text.ts";
import { Icon } from "../ui/icon.tsx";
import { type Checked, checkFile, toDigits } from "./check-file.ts";
import { checkWords } from "./check-words.ts";
import "../style/hand-over.css";

type State =
  | { readonly kind: "waiting" }
  | { readonly kind: "reading"; readonly file: File; readonly done: number }
  | ({ readonly kind: "read"; readonly file: File } & Checked)
  | { readonly kind: "failed"; readonly file: File };

export function CheckPage() {
  const w = checkWords();
  const seal = useSignal("");
  const { at, open } = useOpened();
  useEffect(() => {
    document.title = w.title;
  });
  return (
    <main
      id="main"
      class="hand check"
      tabIndex={-1}
      onDragOver={(event) => event.preventDefault()}
      onDrop={(event) => {
        event.preventDefault();
        void open(event.dataTransfer?.files[0]);
      }}
    >
      <h1>{w.title}</h1>
      <div>
        <p>{w.hint}</p>
        <Boxes seal={seal} onOpen={open} />
        {at.kind === "reading" && (
          <p role="status">
            {w.reading(at.file.name)}{" "}
            <progress
              aria-label={w.reading(at.file.name)}
              value={at.done}
              max={at.file.size || 1}
            />
          </p>
        )}
        {at.kind === "failed" && <p class="wrong">{w.unreadable(at.file.name)}</p>}
        {at.kind === "read" && <Verdict file={at.file} checked={at} given={seal.value} />}
      </div>
      {at.kind === "read" && at.handOver !== undefined && <Contents handOver={at.handOver} />}
    </main>
  );
}

type Open = (file: File | undefined) => Promise<void>;

/** The file that was opened last: another one takes its place at once. */
function useOpened(): { readonly at: State; readonly open: Open } {
  const state = useSignal<State>({ kind: "waiting" });
  const open: Open = async (file) => {
    if (file === undefined) return;
    const show = (next: State) => {
      const { value: before } = state;
      if (before.kind !== "waiting" && before.file === file) state.value = next;
    };
    state.value = { kind: "reading", file, done: 0 };
    try {
      const checked = await checkFile(file, (done) => show({ kind: "reading", file, done }));
      show({ kind: "read", file, ...checked });
    } catch {
      show({ kind: "failed", file });
    }
  };
  return { at: state.value, open };
}

function Boxes({ seal, onOpen }: { readonly seal: Signal<string>; readonly onOpen: Open }) {
  const w = checkWords();
  return (
    <>
      <label class="over" for="file">
        {w.file}
      </label>
      <input
        id="file"
        type="file"
        accept=".zip"
        // The same name may be another file by now.
        onClick={({ currentTarget }) => (currentTarget.value = "")}
        onChange={({ currentTarget }) => void onOpen(currentTarget.files?.[0])}
      />
      <label class="over" for="given-seal">
        {w.seal}
      </label>
      <textarea
        id="given-seal"
        rows={3}
        spellcheck={false}
        value={seal.value}
        placeholder={w.sealExample}
        onInput={({ currentTarget }) => (seal.value = currentTarget.value)}
      />
    </>
  );
}

interface VerdictProps {
  readonly file: File;
  readonly checked: Checked;
  readonly given: string;
}

function Verdict({ file, checked, given }: VerdictProps) {
  const w = checkWords();
  const digits = toDigits(given);
  const isSame = digits === checked.sha256;
  return (
    <section aria-label={w.verdict}>
      {digits === undefined ? (
        <p class={given.trim() === "" ? undefined : "wrong"} role="status">
          {given.trim() === "" ? w.noSeal : w.notASeal}
        </p>
      ) : (
        <p class={`verdict ${isSame ? "is-good" : "is-bad"}`} role="status">
          <Icon name={isSame ? "same" : "alert"} /> {isSame ? w.same : w.other}
        </p>
      )}
      <p class="quiet">
        {w.digest(file.name, showBytes(file.size))}
        <code class="seal">{checked.sha256.replaceAll(/.{4}(?=.)/g, "$& ")}</code>
      </p>
      {checked.handOver === undefined && <p class="wrong">{w.notAHandOver}</p>}
    </section>
  );
}

const MOST_SHOWN = 200;

/** Only of a file that is the same can these be believed, which the verdict says. */
function Contents({ handOver: { report, records } }: { readonly handOver: OpenedHandOver }) {
  const w = checkWords();
  const shown = records.slice(0, MOST_SHOWN);
  return (
    <aside aria-labelledby="in-it">
      <h2 id="in-it">{w.inIt}</h2>
      <p>{w.verdicts[report.verdict] ?? report.verdict}</p>
      <p>{toFoundText(report, w.found)}</p>
      <p class="quiet">
        {w.of(report.from, report.to)} <bdi>{report.baseUrl}</bdi>
      </p>
      {report.purpose !== undefined && (
        <p>
          {w.purpose} <bdi>{report.purpose}</bdi>
        </p>
      )}
      <ul class="calls">
        {shown.map(({ datetime, agent_name, call_id }, index) => (
          <li key={index}>
            <span class="number">{datetime.replace("T", " ")}</span> <bdi>{agent_name}</bdi>{" "}
            <span class="quiet">
              <bdi>{call_id}</bdi>
            </span>
          </li>
        ))}
      </ul>
      {report.records.written > shown.length && (
        <p class="quiet">{w.andMore(report.records.written - shown.length)}</p>
      )}
    </aside>
  );
}
