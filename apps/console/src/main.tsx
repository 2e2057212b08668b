import { render } from "preact";
import { startValidation } from "./access.ts";
import { App } from "./app.tsx";
import { toFault } from "./faults.ts";
import { findPlace } from "./session.ts";
import { language, useLanguage } from "./text/text.ts";
import { FaultNotice } from "./ui/fault-notice.tsx";
import "./style/console.css";

const root = document.getElementById("console") ?? document.body;

/** Draws the page once the service and the language are known. */
async function start(): Promise<void> {
  try {
    await Promise.all([findPlace(), useLanguage(language.value)]);
    render(<App />, root);
  } catch (error) {
    render(
      <main class="alone">
        <FaultNotice fault={toFault(error)} onRetry={() => void start()} />
      </main>,
      root,
    );
  }
}

// Not awaited by the module: the code it loads imports this file's chunk, and each would wait for the other.
void start().then(startValidation);
