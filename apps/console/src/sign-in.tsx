// The sign-in form: an API key, a secretID with its secretKey, or the user that a proxy has signed in.
import { useSignal } from "@preact/signals";
import type { TargetedInputEvent, TargetedSubmitEvent } from "preact";
import { useRef } from "preact/hooks";
import { type Fault, toFault } from "./faults.ts";
import {
  lock,
  type LockReason,
  place,
  proxyFault,
  signedIn,
  signIn,
  signInByProxy,
} from "./session.ts";
import { signWords } from "./text/sign-words.ts";
import { text } from "./text/text.ts";
import { useCountdown } from "./ui/countdown.ts";
import { readForm } from "./ui/form.ts";
import { Icon } from "./ui/icon.tsx";

type Kind = "key" | "application" | "proxy";

export function SignIn() {
  const t = text.value;
  const s = signWords();
  const found = place.value;
  const kind = useSignal<Kind>(found?.proxyUser === undefined ? "key" : "proxy");
  const isBusy = useSignal(false);
  const fault = useSignal<Fault | undefined>(proxyFault.value);
  const form = useRef<HTMLFormElement>(null);
  const isEdited = useSignal(false);
  // Resubmits after the wait, unless the user has edited the values since.
  const left = useCountdown(fault.value, () => !isEdited.value && form.current?.requestSubmit());

  async function submit(event: TargetedSubmitEvent<HTMLFormElement>): Promise<void> {
    const of = readForm(event);
    isBusy.value = true;
    isEdited.value = false;
    fault.value = undefined;
    try {
      await signInBy(kind.value, of);
    } catch (error) {
      fault.value = toFault(error);
    }
    isBusy.value = false;
  }

  const choose = (next: Kind) => {
    kind.value = next;
    fault.value = undefined;
  };
  return (
    <main id="main" class="sign-in" tabIndex={-1}>
      <h1>{lock.value === undefined ? s.signIn : s.signInAgain}</h1>
      {lock.value !== undefined && <Why lock={lock.value} />}
      <form
        ref={form}
        onSubmit={(event) => void submit(event)}
        onInput={() => (isEdited.value = true)}
      >
        {kind.value === "proxy" && <p>{s.proxySays(found?.proxyUser ?? "")}</p>}
        <Secrets kind={kind.value} onChoose={choose} />
        {fault.value !== undefined && (
          <Wrong fault={fault.value} left={left} isProxy={kind.value === "proxy"} />
        )}
        <button type="submit" class="button main" disabled={isBusy.value || (left ?? 0) > 0}>
          {isBusy.value ? s.signingIn : s.signIn}
        </button>
      </form>
      <OtherKind kind={kind.value} onChoose={choose} />
      <p>{found?.kind === "session" ? s.sessionLasts : s.secretStays}</p>
      {found !== undefined && new URL(found.baseUrl).origin !== location.origin && (
        <p>
          {t.serviceAt} <bdi>{found.baseUrl}</bdi>
        </p>
      )}
    </main>
  );
}

function signInBy(kind: Kind, of: (name: string) => string): Promise<void> {
  if (kind === "proxy") return signInByProxy();
  if (kind === "key") return signIn({ apiKey: of("apiKey") });
  return signIn({ secretID: of("secretID"), secretKey: of("secretKey") });
}

function Why({ lock: why }: { readonly lock: LockReason }) {
  const s = signWords();
  const { username = "" } = signedIn.value?.person ?? {};
  return (
    <p class="why">
      {why === "idle" ? s.lockedIdle : s.lockedRefused} {s.placeIsKept(username)}
    </p>
  );
}

interface KindProps {
  readonly kind: Kind;
  readonly onChoose: (kind: Kind) => void;
}

function OtherKind({ kind, onChoose }: KindProps) {
  const s = signWords();
  const isKey = kind === "key";
  return (
    <p>
      <button
        type="button"
        class="plain-link"
        onClick={() => onChoose(isKey ? "application" : "key")}
      >
        {isKey ? s.useApplication : s.useKey}
      </button>
    </p>
  );
}

function Secrets({ kind, onChoose }: KindProps) {
  if (kind === "proxy") return null;
  if (kind === "application")
    return (
      <>
        <SecretBox name="secretID" label="secretID" isSecret={false} />
        <SecretBox name="secretKey" label="secretKey" isSecret />
      </>
    );
  return (
    <SecretBox
      name="apiKey"
      label="API key"
      isSecret
      onPaste={(pasted) => {
        // Every secretID has this prefix.
        if (pasted.startsWith("app_")) onChoose("application");
      }}
    />
  );
}

interface SecretBoxProps {
  readonly name: string;
  readonly label: string;
  readonly isSecret: boolean;
  readonly onPaste?: (pasted: string) => void;
}

function SecretBox({ name, label, isSecret, onPaste }: SecretBoxProps) {
  const s = signWords();
  const isShown = useSignal(false);
  const value = useSignal("");
  const attributes = {
    id: name,
    name,
    autocomplete: isSecret ? "current-password" : "username",
    spellcheck: false,
    required: true,
    value: value.value,
    onInput: (event: TargetedInputEvent<HTMLInputElement>) =>
      (value.value = event.currentTarget.value),
    onPaste: (event: ClipboardEvent) => onPaste?.(event.clipboardData?.getData("text") ?? ""),
  };
  return (
    <>
      <label class="over" for={name}>
        {label}
      </label>
      <div class="box">
        {isSecret && !isShown.value ? (
          <input {...attributes} type="password" />
        ) : (
          <input {...attributes} type="text" />
        )}
        {isSecret && (
          <button
            type="button"
            class="button quiet icon-only"
            aria-label={s.showSecret}
            title={s.showSecret}
            aria-pressed={isShown.value}
            onClick={() => (isShown.value = !isShown.value)}
          >
            <Icon name="eye" />
          </button>
        )}
      </div>
    </>
  );
}

interface WrongProps {
  readonly fault: Fault;
  readonly left: number | undefined;
  readonly isProxy: boolean;
}

function Wrong({ fault, left, isProxy }: WrongProps) {
  const t = text.value;
  const s = signWords();
  const refused = isProxy ? s.unknownProxyUser : s.wrongSecret;
  const { title, hint } = fault.kind === "refused" ? refused : t.faults[fault.kind];
  return (
    <p class="wrong" role="alert">
      <Icon name="alert" isSmall />
      <span>
        {title} {left === undefined ? hint : <span role="timer">{t.againIn(left)}</span>}
      </span>
    </p>
  );
}
