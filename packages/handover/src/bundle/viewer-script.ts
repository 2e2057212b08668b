// What the page of a bundle does. It is text, since it runs where nothing can be loaded.
export const SCRIPT = String.raw`
const { folder, about, calls } = JSON.parse(document.getElementById("data").textContent);
const make = (tag, props = {}, ...children) => {
  const element = Object.assign(document.createElement(tag), props);
  element.append(...children);
  return element;
};
const quiet = (textContent) => make("p", { className: "quiet", textContent });
const toName = ({ customer_first_name, customer_last_name, call_id, ref_id }) =>
  [customer_first_name, customer_last_name].filter(Boolean).join(" ") || call_id || ref_id || "no name";
const join = (...values) => values.filter(Boolean).join(" · ");
const toClock = (seconds) => Math.floor(seconds / 60) + ":" + String(Math.floor(seconds % 60)).padStart(2, "0");
const toAddress = (file) => folder + "/" + file.split("/").map(encodeURIComponent).join("/");
const hasOffset = (text) => /(?:Z|[+-]\d\d:?\d\d)$/i.test(text);

const [nav, main] = [document.querySelector("nav"), document.querySelector("main")];
const buttons = calls.map((call, index) =>
  make("button", { onclick: () => show(index) }, make("bdi", { textContent: toName(call.record) }), make("span", {
    className: "quiet",
    textContent: join(String(call.record.datetime ?? "").replace("T", " "), call.record.agent_name ?? call.record.agent,
      call.recordings.length > 0 && call.recordings.length + (call.recordings.length === 1 ? " recording" : " recordings")),
  })),
);
const find = make("input", { type: "search", placeholder: "Find", ariaLabel: "Find a call", oninput: filter });
nav.append(
  make("header", {},
    make("h1", { textContent: calls.length === 1 ? "1 call" : calls.length.toLocaleString("en") + " calls" }),
    quiet(about.from + " to " + about.to + ", " + about.verdict + ", written " + about.finishedAt.slice(0, 16).replace("T", " ") + " UTC"),
    ...about.faults.map(quiet),
    ...(about.redacted.length > 0 ? [quiet("Masked: " + about.redacted.join(", "))] : []),
    make("p", { className: "quiet" }, "Seal ", make("code", { textContent: about.seal })),
    find),
  ...buttons,
);

function filter() {
  const wanted = find.value.trim().toLowerCase();
  calls.forEach((call, index) => {
    buttons[index].hidden = !JSON.stringify([call.record, call.messages]).toLowerCase().includes(wanted);
  });
}

function show(index) {
  const { record, recordings, messages } = calls[index];
  buttons.forEach((button, at) => (at === index ? button.setAttribute("aria-current", "true") : button.removeAttribute("aria-current")));
  const sounds = recordings.flatMap(toSound);
  const first = sounds.find((one) => one.tagName === "AUDIO");
  const lines = messages.map((message) => toLine(message, record, first));
  if (first) first.ontimeupdate = () => {
    const now = lines.findLastIndex(({ at }) => at <= first.currentTime + 0.2);
    lines.forEach(({ item }, at) => item.classList.toggle("now", at === now));
  };
  const fields = Object.entries(record).filter(([name, value]) => value !== null && name !== "transcript");
  main.replaceChildren(
    make("h1", {}, make("bdi", { textContent: toName(record) })),
    quiet(join(record.datetime, record.agent_name, record.campaign, record.disposition)),
    ...(recordings.length > 0 ? sounds : [quiet("No recording in this bundle.")]),
    make("h2", { textContent: "Transcript" }),
    ...(record.transcript === null ? [] : [make("p", {}, make("bdi", { textContent: String(record.transcript) }))]),
    make("ol", { ariaLabel: "Transcript" }, ...lines.map(({ item }) => item)),
    ...(lines.length === 0 && record.transcript === null ? [quiet("No transcript in this bundle.")] : []),
    make("h2", { textContent: "Fields" }),
    make("dl", {}, ...fields.flatMap(([name, value]) =>
      [make("dt", { textContent: name }), make("dd", {}, make("bdi", { textContent: String(value) }))])),
  );
  main.scrollTop = 0;
}

function toSound({ part, file, content_type, sha256, error }) {
  if (file === null) return [quiet("Part " + part + " is not here: " + error)];
  const about = make("p", { className: "quiet" }, "Part " + part + ", " + content_type + ", ",
    make("a", { href: toAddress(file), textContent: "open the file" }), ", SHA-256 " + sha256);
  const sound = make("audio", { controls: true, preload: "metadata", ariaLabel: "Part " + part });
  sound.onerror = () => sound.replaceWith(quiet("This browser cannot play " + content_type + ". Open the file with another program."));
  sound.src = toAddress(file);
  return [sound, about];
}

function toLine({ datetime, label, party_type, transcript }, record, sound) {
  const [said, began] = [String(datetime ?? ""), String(record.datetime ?? "")];
  const at = hasOffset(said) === hasOffset(began) ? (Date.parse(said) - Date.parse(began)) / 1000 : NaN;
  const isTimed = sound !== undefined && at >= 0 && at < 86400;
  const play = () => {
    sound.currentTime = at;
    sound.play();
  };
  const time = isTimed ? make("button", { textContent: toClock(at), onclick: play }) : make("span");
  const who = make("b", {}, make("bdi", { textContent: label ?? party_type ?? "" }));
  return { at: isTimed ? at : NaN, item: make("li", {}, time, who, make("bdi", { textContent: transcript ?? "" })) };
}

if (calls.length > 0) show(0);
`;
