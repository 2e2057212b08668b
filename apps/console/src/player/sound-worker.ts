// The service worker that signs requests of <audio> without a session. It stores no secret, but asks the page for it.
import { toScriptUrl } from "../trusted.ts";

type Headers = (refused?: string) => Promise<Readonly<Record<string, string>>>;

/** True if <audio> can request a recording; false if the browser offers no service workers here. */
export let hasSoundWorker = false;

let answer: Headers | undefined;

/** Resolves when <audio> can send requests; `headers` signs them from then on. */
export async function registerSound(headers: Headers): Promise<void> {
  answer = headers;
  const { serviceWorker }: { serviceWorker?: ServiceWorkerContainer } = navigator;
  if (serviceWorker === undefined || import.meta.env.DEV) return;
  try {
    serviceWorker.addEventListener("message", (event) => void reply(event));
    await serviceWorker.register(toScriptUrl("sound.js"), { scope: "./" });
    await serviceWorker.ready;
    if (serviceWorker.controller === null)
      await new Promise((resolve) =>
        serviceWorker.addEventListener("controllerchange", resolve, { once: true }),
      );
    hasSoundWorker = true;
  } catch {
    // Recordings are then received completely before they play.
    hasSoundWorker = false;
  }
}

/** With a session, the worker would stand between <audio> and the cookie. */
export async function unregisterSound(): Promise<void> {
  hasSoundWorker = false;
  const { serviceWorker }: { serviceWorker?: ServiceWorkerContainer } = navigator;
  const registration = await serviceWorker?.getRegistration().catch(() => undefined);
  await registration?.unregister();
}

async function reply({ data, ports: [port] }: MessageEvent<{ refused?: string }>): Promise<void> {
  port?.postMessage(await answer?.(data.refused).catch(() => undefined));
}
