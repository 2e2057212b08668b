// The style of a hand-over's page: on a screen, on a phone, and on paper.
export const STYLE = `
:root { color-scheme: light dark; --ground: light-dark(#fff, #14191d); --text: light-dark(#1c2328, #e3e7ea);
  --line: light-dark(#d3dade, #38434a); --quiet: light-dark(#4b565e, #a9b4bb); --accent: light-dark(#175a73, #7cc7e0);
  --raised: light-dark(#f3f6f7, #1d2429); --good: light-dark(#17663a, #7fd6a2); --bad: light-dark(#a3271f, #ff9d94);
  --agent: light-dark(#5a3fa3, #b8a2f5); --mark: light-dark(#ffe58a, #6b5700) }
* { box-sizing: border-box }
body { margin: 0; font: 0.9375rem/1.5 system-ui, sans-serif; background: var(--ground); color: var(--text); display: grid;
  grid: auto minmax(0, 1fr) / minmax(16rem, 22rem) minmax(0, 1fr); height: 100vh }
header { grid-column: 1 / -1; padding: 16px 24px; border-block-end: 1px solid var(--line) }
nav { border-inline-end: 1px solid var(--line); overflow: auto }
main { overflow: auto; padding: 24px 32px }
h1, h2, h3 { margin: 0; font-size: 0.9375rem } h1 { font-size: 1.25rem } .name { font-size: 1.5rem; line-height: 1.3 }
h3 { margin: 24px 0 8px; font-size: 1rem } p { margin: 4px 0; overflow-wrap: anywhere }
.quiet, dt, .caption { color: var(--quiet); font-size: 0.8125rem }
.good { color: var(--good); font-weight: 600 } .bad { color: var(--bad) }
header details { margin-block-start: 8px } summary { cursor: pointer }
ol { list-style: none; margin: 0; padding: 0 }
.find { position: sticky; inset-block-start: 0; padding: 12px 16px; background: var(--ground); border-block-end: 1px solid var(--line) }
label { display: block; font-size: 0.8125rem; color: var(--quiet) }
input { font: inherit; width: 100%; min-height: 36px; padding: 4px 12px; color: inherit; background: var(--ground);
  border: 1px solid var(--quiet); border-radius: 6px }
nav h2 { padding: 12px 16px 4px; font-size: 0.8125rem }
button { font: inherit; color: inherit; background: none; border: 0; text-align: start; cursor: pointer }
nav button { display: block; width: 100%; padding: 8px 16px; border-block-end: 1px solid var(--line) }
nav button:hover { background: var(--raised) }
nav button[aria-current] { background: var(--raised); box-shadow: inset 3px 0 var(--accent) }
nav button span { display: block } [hidden] { display: none !important }
.back { display: none; padding: 8px 0; color: var(--accent) }
.call { display: grid; grid-template-columns: minmax(0, 1fr) minmax(16rem, 24rem); gap: 0 40px }
audio { width: 100%; display: block; margin: 4px 0 16px }
.caption { display: flex; flex-wrap: wrap; gap: 0 16px; margin-block-start: 16px } .caption b { color: var(--text) }
.spoken { white-space: pre-wrap }
.lines li { display: grid; grid-template-columns: 4rem 7rem minmax(0, 1fr); gap: 12px; padding: 4px 8px; border-radius: 6px }
.lines li.now { background: var(--raised); box-shadow: inset 3px 0 var(--accent) }
.lines button { padding: 0; color: var(--accent); font-variant-numeric: tabular-nums; text-decoration: underline; align-self: start }
.lines b { font-weight: 600; overflow-wrap: anywhere } .agent { color: var(--agent) } .other { color: var(--accent) }
bdi { overflow-wrap: anywhere } mark { background: var(--mark); color: inherit }
dl { display: grid; grid-template-columns: minmax(7rem, max-content) minmax(0, 1fr); gap: 4px 16px; margin: 0 }
dt { overflow-wrap: anywhere } dd { margin: 0; overflow-wrap: anywhere } section dl { grid-template-columns: 9rem minmax(0, 1fr) }
.masked { padding: 0 8px; border: 1px dashed var(--quiet); border-radius: 6px; color: var(--quiet); font-size: 0.8125rem }
a { color: var(--accent) } code { overflow-wrap: anywhere; font-size: 0.8125rem }
:focus-visible { outline: 2px solid var(--accent); outline-offset: -2px } main:focus-visible { outline: 0 }
@media (max-width: 80rem) { .call { grid-template-columns: minmax(0, 1fr) } }
@media (max-width: 45rem) {
  body { display: block; height: auto } header { padding: 16px } main { padding: 16px; display: none } nav { border: 0 }
  .is-open main { display: block } .is-open nav, .is-open header > :not(h1) { display: none } .is-open h1 { font-size: 0.9375rem } .back { display: block }
  .lines li { grid-template-columns: 4rem minmax(0, 1fr) } .lines bdi:last-child { grid-column: 1 / -1 }
  dl, section dl { grid-template-columns: minmax(0, 1fr); gap: 0 } dd { margin-block-end: 8px }
}
@media print {
  body { display: block; height: auto } nav, audio, .back { display: none } main { overflow: visible; padding: 16px 0 }
  header details::details-content { content-visibility: visible }
}
`;
