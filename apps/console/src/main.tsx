import { render } from "preact";
import { effect } from "@preact/signals";
import { startValidation } from "./access.ts";
import { route } from "./address.ts";
import { App } from "./app.tsx";
import { toFault } from "./faults.ts";
import { findPlace } from "./session.ts";
import { language, useLanguage } from "./text/text.ts";
import { FaultNotice } from "./ui/fault-notice.tsx";
import "./style/console.css";

const root = document.getElementById("console") ?? document.body;

/** Draws the page once the service and the language are known. The page that compares a seal asks no service. */
async function start(): Promise<void> {
  const speaking = useLanguage(language.value);
  try {
    const isCheck = route.peek().page === "check";
    await Promise.all([isCheck ? undefined : findPlace(), speaking]);
    render(<App />, root);
    if (isCheck) onceElsewhere(start);
  } catch (error) {
    // The service may refuse before the words are there.
    await speaking;
    render(
      <main class="alone">
        <FaultNotice fault={toFault(error)} onRetry={() => void start()} />
      </main>,
      root,
    );
  }
}

function onceElsewhere(go: () => Promise<void>): void {
  const stop = effect(() => {
    if (route.value.page === "check") return;
    queueMicrotask(() => stop());
    void go();
  });
}

// Not awaited by the module: the code it loads imports this file's chunk, and each would wait for the other.
void start().then(startValidation);
