// The service worker that signs the requests of <audio> without a session. It keeps no secret: it asks for it.
import { toScriptUrl } from "../trusted.ts";

type Headers = (refused?: string) => Promise<Readonly<Record<string, string>>>;

/** True if <audio> can request a recording: false where the browser has no service workers here. */
export let hasSoundWorker = false;

let answer: Headers | undefined;

/** Resolves when <audio> can ask; from then on `headers` signs what it asks for. */
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
    // Recordings are then received whole before they are played.
    hasSoundWorker = false;
  }
}

/** With a session it would stand between <audio> and the cookie. */
export async function unregisterSound(): Promise<void> {
  hasSoundWorker = false;
  const { serviceWorker }: { serviceWorker?: ServiceWorkerContainer } = navigator;
  const registration = await serviceWorker?.getRegistration().catch(() => undefined);
  await registration?.unregister();
}

async function reply({ data, ports: [port] }: MessageEvent<{ refused?: string }>): Promise<void> {
  port?.postMessage(await answer?.(data.refused).catch(() => undefined));
}
