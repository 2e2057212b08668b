// A button at each block of code, which copies it.

const SAID_MS = 2_000;

export function addCopyButtons(): void {
  // Browsers let a page do that over HTTPS and from this machine alone.
  if (!("clipboard" in navigator)) return;
  for (const block of document.querySelectorAll<HTMLElement>("main pre")) {
    const frame = document.createElement("div");
    frame.className = "code";
    block.replaceWith(frame);
    frame.append(block, createButton(block.textContent));
  }
}

function createButton(text: string): HTMLButtonElement {
  const button = document.createElement("button");
  button.type = "button";
  button.textContent = "Copy";
  const say = (what: string) => {
    button.textContent = what;
    setTimeout(() => (button.textContent = "Copy"), SAID_MS);
  };
  button.addEventListener("click", () => {
    navigator.clipboard.writeText(text).then(
      () => say("Copied"),
      () => say("Not allowed"),
    );
  });
  return button;
}
