// The script of a hand-over's page. It is text, because nothing can be loaded where it runs. Values of records become text
// nodes.
export const SCRIPT = String.raw`
const { folder, about, calls: records } = JSON.parse(document.getElementById("data").textContent);
const $ = (selector) => document.querySelector(selector);
const make = (tag, props = {}, ...children) => {
  const element = Object.assign(document.createElement(tag), props);
  element.append(...children.filter((child) => child !== undefined && child !== false));
  return element;
};
const text = (tag, textContent, className = "") => make(tag, { className, textContent });
const value = (textContent) => make("bdi", { dir: "auto", textContent: String(textContent) });
const count = (number, noun) => number.toLocaleString("en") + " " + noun + (number === 1 ? "" : "s");
// No value may turn the direction of the next one.
const apart = (...values) => values.filter(Boolean).flatMap((one, at) => at === 0 ? [value(one)] : [" · ", value(one)]);
// A field that a later contract has goes by its name there.
const toWords = (field) => about.labels[field] ?? field.replaceAll("_", " ");
const toName = ({ customer_first_name: first, customer_middle_name: middle, customer_last_name: last }) =>
  [first, middle, last].filter(Boolean).join(" ");
const toTitle = (record) => toName(record) || "Call " + (record.call_id || record.ref_id || "without a name");
const toClock = (seconds) => Math.floor(seconds / 60) + ":" + String(Math.floor(seconds % 60)).padStart(2, "0");
const toAddress = (file) => folder + "/" + file.split("/").map(encodeURIComponent).join("/");
const hasOffset = (datetime) => /(?:Z|[+-]\d\d:?\d\d)$/i.test(datetime);
const DAY = { weekday: "short", day: "numeric", month: "short", year: "numeric", timeZone: "UTC" };
const toDay = (datetime, options = DAY) => {
  const day = new Date(String(datetime).slice(0, 10) + "T00:00Z");
  return Number.isNaN(day.getTime()) ? "No date" : day.toLocaleDateString("en-GB", options);
};
// Legs of a call may be recorded in different zones: all times are in that of the archive, if it is known to this browser.
const zone = (() => {
  try {
    return about.zone === null ? null : new Intl.DateTimeFormat("sv-SE", { timeZone: about.zone, dateStyle: "short", timeStyle: "medium" });
  } catch {
    return null;
  }
})();
const toWall = (ms) => Date.parse(zone.format(ms).replace(" ", "T") + "Z");
const toOffset = (ms) => toWall(ms) - Math.floor(ms / 1000) * 1000;
// A time without an offset is one of the archive's clock.
const toInstant = (datetime) => {
  const given = String(datetime ?? "");
  const ms = Date.parse(hasOffset(given) ? given : given + "Z");
  return hasOffset(given) || zone === null || Number.isNaN(ms) ? ms : ms - toOffset(ms - toOffset(ms));
};
const inZone = (datetime) => {
  const ms = toInstant(datetime);
  if (zone === null || Number.isNaN(ms)) return datetime;
  const minutes = Math.round(toOffset(ms) / 60000);
  const two = (number) => String(Math.floor(number)).padStart(2, "0");
  const offset = (minutes < 0 ? "-" : "+") + two(Math.abs(minutes) / 60) + ":" + two(Math.abs(minutes) % 60);
  return zone.format(ms).replace(" ", "T") + (minutes === 0 ? "Z" : offset);
};
const toTime = (datetime) => {
  const [, time = "", offset = ""] = /^.{10}[T ]([\d:]+)[.,\d]*(.*)$/.exec(String(datetime ?? "")) ?? [];
  return time + (/^Z$/i.test(offset) ? " UTC" : offset && " " + offset.replace("-", "−"));
};

// The legs of a call follow one another as they did in time, in the place of the newest.
const toMoment = ({ record }) => toInstant(record.datetime);
const groups = new Map();
for (const one of records) {
  const key = about.redacted.includes("call_id") ? one : one.record.call_id || one;
  groups.set(key, [...(groups.get(key) ?? []), one]);
}
const calls = [...groups.values()].flatMap((legs) =>
  legs.sort((one, other) => toMoment(one) - toMoment(other)).map((one, at) => ({ ...one, leg: legs.length > 1 && "leg " + (at + 1) + " of " + legs.length })));

const { weekday, ...LONG } = { ...DAY, month: "long" };
$("header").append(...[
  text("h1", (about.calls === null ? count(calls.length, "leg") : count(about.calls, "call") + (about.calls === calls.length ? "" : ", " + count(calls.length, "leg"))) + ", " + toDay(about.from, LONG) + " to " + toDay(about.to, LONG)),
  text("p", (about.verdict === "complete" ? "Complete: " : "Incomplete: ") + about.found + ".", about.verdict === "complete" ? "good" : "bad"),
  about.purpose !== null && make("p", {}, "For: ", value(about.purpose)),
  ...about.faults.map((fault) => text("p", fault, "bad")),
  ...(about.redacted.length > 0 ? [text("p", "Masked for good: " + about.redacted.map(toWords).join(", ") + "."), ...about.left.map((one) => text("p", "Left: " + one + "."))] : []),
  make("details", {},
    text("summary", "Origin and seal"),
    make("dl", {},
      text("dt", "Archive"), make("dd", {}, value(about.baseUrl)),
      text("dt", "Exported"), make("dd", {}, toDay(about.finishedAt) + ", " + toTime(about.finishedAt) + ", by ", value(about.by)),
      ...(about.asOf === null ? [] : [text("dt", "Searched"), make("dd", {}, toDay(about.asOf) + ", " + toTime(about.asOf) + "; what came later is not in it")]),
      ...about.unproved.flatMap((sentence) => [text("dt", "Not proved"), text("dd", sentence)]),
      text("dt", "Seal"), text("dd", "The sender gives you the seal by another way than this page. It is the SHA-256 of the zip, which any tool makes: if it is the same, nothing was changed, this page included. call-media verify FILE.zip --seal SHA256 checks every file, too."))),
].filter((one) => one !== false));

const find = make("input", { type: "search", id: "find", autocomplete: "off", oninput: filter });
const found = make("p", { className: "quiet", role: "status" });
const list = make("ol");
$("nav").append(make("div", { className: "find" }, make("label", { htmlFor: "find", textContent: "Find in fields and transcripts" }), find, found), list);
let day;
const items = calls.map(({ record, recordings, messages, leg }, index) => {
  const title = toDay(inZone(record.datetime));
  const head = title !== day && text("h2", title);
  day = title;
  const button = make("button", { type: "button", onclick: () => show(index, true) }, value(toTitle(record)),
    make("span", { className: "quiet" }, ...apart(toTime(inZone(record.datetime)), record.agent_name ?? record.agent, leg, recordings.length > 0 && count(recordings.length, "recording"))));
  const item = make("li", {}, head, button);
  list.append(item);
  return { item, head, button, text: [record, ...messages].flatMap(Object.values).join("\n").toLowerCase() };
});

let shown = 0;
function filter() {
  const wanted = find.value.trim().toLowerCase();
  let matches = 0;
  let day;
  let head;
  for (const one of items) {
    const isFound = one.text.includes(wanted);
    matches += isFound;
    day = one.head || day;
    one.button.hidden = !isFound;
    // A day stands over the first of its calls that was found.
    if (one.head) one.head.hidden = true;
    if (isFound) { if (head !== day) day.hidden = false; head = day; }
  }
  found.textContent = wanted === "" ? "" : count(matches, "call") + " found";
  show(shown, false);
}

/** Text with what is looked for marked in it. */
function marked(content) {
  const all = String(content);
  const wanted = find.value.trim();
  const bdi = make("bdi", { dir: "auto" });
  if (wanted === "") return bdi.append(all), bdi;
  const pattern = new RegExp(wanted.replaceAll(/[\\^$.*+?()[\]{}|]/g, "\\$&"), "giu");
  let from = 0;
  for (const { 0: hit, index } of all.matchAll(pattern)) {
    bdi.append(all.slice(from, index), text("mark", hit));
    from = index + hit.length;
  }
  bdi.append(all.slice(from));
  return bdi;
}

function show(index, isChosen) {
  const playing = $("audio");
  if (!isChosen && playing && !playing.paused) return;
  shown = index;
  const { record, recordings, messages, leg } = calls[index];
  items.forEach(({ button }, at) => at === index ? button.setAttribute("aria-current", "true") : button.removeAttribute("aria-current"));
  const sounds = recordings.flatMap((recording) => toSound(recording, recordings.length));
  const first = sounds.find((one) => one.tagName === "AUDIO");
  const lines = messages.map((message) => toLine(message, record, first));
  if (first) first.ontimeupdate = () => {
    const now = lines.findLastIndex(({ at }) => at <= first.currentTime + 0.2);
    lines.forEach(({ item }, at) => item.classList.toggle("now", at === now));
  };
  const spoken = record.transcript ?? null;
  const fields = Object.entries(record).filter(([name, content]) => content !== null && content !== "" && name !== "transcript");
  $("main").replaceChildren(
    make("button", { type: "button", className: "back", textContent: "All calls", onclick: back }),
    make("h2", { className: "name" }, value(toTitle(record))),
    make("p", { className: "quiet" }, ...apart(toDay(inZone(record.datetime)) + ", " + toTime(inZone(record.datetime)),
      record.agent_name && "with " + record.agent_name, leg, record.campaign, record.disposition)),
    make("div", { className: "call" },
      make("section", { ariaLabel: "Recordings and transcript" },
        ...(recordings.length > 0 ? sounds : [text("p", "No recording in this hand-over.", "quiet")]),
        text("h3", "Transcript"),
        spoken !== null && lines.length === 0 && make("p", { className: "spoken" }, marked(spoken)),
        lines.length > 0 && make("ol", { ariaLabel: "Transcript", className: "lines" }, ...lines.map(({ item }) => item)),
        spoken !== null && lines.length > 0 && make("details", {}, text("summary", "As one text"), make("p", { className: "spoken" }, marked(spoken))),
        spoken === null && lines.length === 0 && text("p", "No transcript in this hand-over.", "quiet")),
      make("section", { ariaLabel: "Fields" }, text("h3", "Fields"),
        make("dl", {}, ...fields.flatMap(([name, content]) => [make("dt", { textContent: toWords(name), title: name }),
          make("dd", {}, about.redacted.includes(name) ? text("span", "masked", "masked") : marked(content))])))),
  );
  $("main").scrollTop = 0;
  if (!isChosen) return;
  document.body.classList.add("is-open");
  scrollTo(0, 0);
  $("main").focus();
}

function back() {
  document.body.classList.remove("is-open");
  items[shown].button.focus();
}

function toSound({ part, file, content_type, bytes, sha256, error, muted }, parts) {
  const name = parts === 1 ? "Recording" : "Recording " + part;
  if (file === null) return [text("p", name + " is not in this hand-over: " + error, "bad")];
  const link = make("a", { href: toAddress(file), textContent: "Open the file", download: "" });
  const sum = make("details", {}, text("summary", "SHA-256"), text("code", sha256));
  const caption = make("div", { className: "caption quiet" }, text("b", name), content_type, link, sum);
  const sound = make("audio", { controls: true, preload: "metadata", ariaLabel: name });
  sound.onerror = () => sound.replaceWith(text("p", "This browser cannot play " + content_type + ". Open the file with another program.", "bad"));
  sound.src = toAddress(file);
  return muted ? [caption, text("p", "Muted: " + muted.spans.map(toMuted).join(", ") + ".", "quiet"), sound] : [caption, sound];
}

const toMuted = ({ from, to, channel, reason }) =>
  from + " to " + to + " s" + (channel ? " in channel " + channel : "") + (reason ? " (" + reason + ")" : "");

function toLine({ datetime, label, party_type, transcript }, record, sound) {
  const [said, began] = [String(datetime ?? ""), String(record.datetime ?? "")];
  const isAlike = zone !== null || hasOffset(said) === hasOffset(began);
  const at = isAlike ? (toInstant(said) - toInstant(began)) / 1000 : NaN;
  const isTimed = sound !== undefined && at >= 0 && at < 86400;
  const play = () => {
    sound.currentTime = at;
    sound.play();
  };
  const time = isTimed ? make("button", { type: "button", textContent: toClock(at), ariaLabel: "Play from " + toClock(at), onclick: play }) : text("span", toTime(inZone(datetime)).slice(0, 8), "quiet");
  const isAgent = /agent/i.test(party_type ?? label ?? "");
  const who = make("b", { className: isAgent ? "agent" : "other" }, value(label ?? party_type ?? ""));
  return { at: isTimed ? at : NaN, item: make("li", {}, time, who, marked(transcript ?? "")) };
}

if (calls.length > 0) show(0, false);
`;
