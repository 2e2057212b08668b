// Keeps one comment of a job in its pull request: the Markdown reports of the action, new or in place of those of before.
// Never fails the job: what it may not write, as in a pull request from a fork, it leaves to the summary of the run.
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";

/** GitHub takes 65,536 characters. */
const MOST_CHARACTERS = 60_000;
const PER_PAGE = 100;

const {
  GITHUB_API_URL = "https://api.github.com",
  GITHUB_EVENT_PATH = "",
  GITHUB_JOB = "",
  GITHUB_REPOSITORY = "",
  GITHUB_TOKEN = "",
  GITHUB_WORKFLOW = "",
  REPORTS = "",
} = process.env;

/** By this the comment of before is found; no name can end it. */
const marker = `<!-- call-media ${[GITHUB_WORKFLOW, GITHUB_JOB, REPORTS].map(encodeURIComponent).join(" ").replaceAll("--", "%2D%2D")} -->`;

async function readReports() {
  const names = (await readdir(REPORTS)).filter((name) => name.endsWith(".md")).toSorted();
  const texts = names.map((name) => readFile(join(REPORTS, name), "utf8"));
  return (await Promise.all(texts)).join("\n\n");
}

/** Whole findings: one that does not fit is left out with all after it. */
function shorten(text) {
  if (text.length <= MOST_CHARACTERS) return text;
  const start = text.slice(0, MOST_CHARACTERS);
  const end = start.lastIndexOf("\n\n<details>");
  return `${start.slice(0, end === -1 ? start.lastIndexOf("\n") : end)}\n\nThe report is too long for a comment: the summary of the run has all of it.`;
}

async function call(path, request = {}) {
  const response = await fetch(`${GITHUB_API_URL}/repos/${GITHUB_REPOSITORY}${path}`, {
    ...request,
    headers: {
      Accept: "application/vnd.github+json",
      Authorization: `Bearer ${GITHUB_TOKEN}`,
      "Content-Type": "application/json",
      "X-GitHub-Api-Version": "2022-11-28",
    },
  });
  if (!response.ok) throw new Error(`GitHub answers ${response.status}`);
  return response.json();
}

/** A comment of somebody else that quotes this one is theirs. */
const isOwn = ({ body, user }) => user?.type === "Bot" && body?.startsWith(marker) === true;

async function findComment(number) {
  for (let page = 1; ; page += 1) {
    const comments = await call(`/issues/${number}/comments?per_page=${PER_PAGE}&page=${page}`);
    const own = comments.find(isOwn);
    if (own !== undefined || comments.length < PER_PAGE) return own;
  }
}

async function comment() {
  const event = JSON.parse(await readFile(GITHUB_EVENT_PATH, "utf8"));
  const number = event.pull_request?.number;
  if (number === undefined) return "this is no run for a pull request";
  const text = await readReports();
  if (text === "") return "there is no report";
  const request = { body: JSON.stringify({ body: `${marker}\n${shorten(text)}` }) };
  const known = await findComment(number);
  await (known === undefined
    ? call(`/issues/${number}/comments`, { ...request, method: "POST" })
    : call(`/issues/comments/${known.id}`, { ...request, method: "PATCH" }));
  return undefined;
}

const why = await comment().catch((error) => String(error.message));
if (why !== undefined) console.log(`::notice::No comment in the pull request: ${why}`);
