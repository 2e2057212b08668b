// The form by which people sign in: an API key, or what an application was issued.
import { useSignal } from "@preact/signals";
import type { TargetedInputEvent, TargetedSubmitEvent } from "preact";
import { type Fault, toFault } from "./faults.ts";
import { lock, place, signedIn, signIn } from "./session.ts";
import { text } from "./text/text.ts";
import { readForm } from "./ui/form.ts";
import { Icon } from "./ui/icon.tsx";

export function SignIn() {
  const t = text.value;
  const isApplication = useSignal(false);
  const isBusy = useSignal(false);
  const fault = useSignal<Fault | undefined>(undefined);

  async function submit(event: TargetedSubmitEvent<HTMLFormElement>): Promise<void> {
    const of = readForm(event);
    isBusy.value = true;
    fault.value = undefined;
    try {
      await signIn(
        isApplication.value
          ? { secretID: of("secretID"), secretKey: of("secretKey") }
          : { apiKey: of("apiKey") },
      );
    } catch (error) {
      fault.value = toFault(error);
    }
    isBusy.value = false;
  }

  const found = place.value;
  const person = signedIn.value?.person;
  return (
    <main id="main" class="sign-in" tabIndex={-1}>
      <h1>{lock.value === undefined ? t.signIn : t.signInAgain}</h1>
      {lock.value !== undefined && (
        <p class="why">
          {lock.value === "idle" ? t.lockedIdle : t.lockedRefused}{" "}
          {t.placeIsKept(person?.username ?? "")}
        </p>
      )}
      <form onSubmit={(event) => void submit(event)}>
        {isApplication.value ? (
          <>
            <SecretBox name="secretID" label="secretID" isSecret={false} />
            <SecretBox name="secretKey" label="secretKey" isSecret />
          </>
        ) : (
          <SecretBox
            name="apiKey"
            label="API key"
            isSecret
            onPaste={(pasted) => {
              // What an application is issued begins so.
              if (pasted.startsWith("app_")) isApplication.value = true;
            }}
          />
        )}
        {fault.value !== undefined && <Wrong fault={fault.value} />}
        <button type="submit" class="button main" disabled={isBusy.value}>
          {isBusy.value ? t.signingIn : t.signIn}
        </button>
      </form>
      <p>
        <button
          type="button"
          class="plain-link"
          onClick={() => {
            isApplication.value = !isApplication.value;
            fault.value = undefined;
          }}
        >
          {isApplication.value ? t.useKey : t.useApplication}
        </button>
      </p>
      <p>{found?.kind === "session" ? t.sessionLasts : t.secretStays}</p>
      {found !== undefined && new URL(found.baseUrl).origin !== location.origin && (
        <p>
          {t.serviceAt} <bdi>{found.baseUrl}</bdi>
        </p>
      )}
    </main>
  );
}

interface SecretBoxProps {
  readonly name: string;
  readonly label: string;
  readonly isSecret: boolean;
  readonly onPaste?: (pasted: string) => void;
}

function SecretBox({ name, label, isSecret, onPaste }: SecretBoxProps) {
  const t = text.value;
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
            aria-label={t.showSecret}
            title={t.showSecret}
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

function Wrong({ fault }: { readonly fault: Fault }) {
  const t = text.value;
  const { title, hint } = fault.kind === "refused" ? t.wrongSecret : t.faults[fault.kind];
  return (
    <p class="wrong" role="alert">
      <Icon name="alert" isSmall />
      <span>
        {title} {fault.retryAfterSeconds === undefined ? hint : t.retryIn(fault.retryAfterSeconds)}
      </span>
    </p>
  );
}
