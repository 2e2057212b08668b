// In place of `node:timers/promises` in a page.

/** Resolves in a later turn of the event loop, with nothing to wait for. */
export function setImmediate(): Promise<void> {
  const { port1, port2 } = new MessageChannel();
  return new Promise((resolve) => {
    port1.addEventListener("message", () => {
      port1.close();
      resolve();
    });
    port1.start();
    port2.postMessage(undefined);
  });
}
