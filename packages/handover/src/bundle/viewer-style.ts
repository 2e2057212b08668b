// How the page of a bundle looks.
export const STYLE = `
:root { color-scheme: light dark; --ground: light-dark(#fff, #14191d); --text: light-dark(#1c2328, #e3e7ea);
  --line: light-dark(#d3dade, #38434a); --quiet: light-dark(#4b565e, #a9b4bb); --accent: light-dark(#175a73, #7cc7e0);
  --raised: light-dark(#f3f6f7, #1d2429) }
* { box-sizing: border-box }
body { margin: 0; font: 0.9375rem/1.5 system-ui, sans-serif; background: var(--ground); color: var(--text);
  display: grid; grid-template-columns: minmax(16rem, 24rem) minmax(0, 1fr); height: 100vh }
nav { border-inline-end: 1px solid var(--line); overflow: auto }
header { padding: 16px; border-block-end: 1px solid var(--line) }
h1 { font-size: 1.25rem; margin: 0 } h2 { font-size: 1rem; margin: 24px 0 8px }
p { margin: 8px 0; overflow-wrap: anywhere } .quiet, dt { color: var(--quiet); font-size: 0.8125rem }
input { font: inherit; width: 100%; min-height: 36px; padding: 4px 12px; color: inherit; background: var(--ground);
  border: 1px solid var(--quiet); border-radius: 6px }
button { font: inherit; color: inherit; background: none; border: 0; text-align: start; cursor: pointer }
nav button { display: block; width: 100%; padding: 8px 16px; border-block-end: 1px solid var(--line) }
nav button[aria-current] { background: var(--raised); box-shadow: inset 3px 0 var(--accent) }
nav button span { display: block }
main { overflow: auto; padding: 24px 32px } main:focus { outline: none }
audio { width: 100%; max-width: 48rem; display: block; margin: 4px 0 }
ol { list-style: none; padding: 0; margin: 0; max-width: 60rem }
li { display: grid; grid-template-columns: 4rem 7rem minmax(0, 1fr); gap: 12px; padding: 4px 8px }
li.now { background: var(--raised); box-shadow: inset 3px 0 var(--accent) }
li button { padding: 0; color: var(--accent); font-variant-numeric: tabular-nums }
dl { display: grid; grid-template-columns: max-content minmax(0, 1fr); gap: 4px 16px; margin: 0 }
dd { margin: 0; overflow-wrap: anywhere } a { color: var(--accent) } code { overflow-wrap: anywhere; font-size: 0.8125rem }
:focus-visible { outline: 2px solid var(--accent); outline-offset: -2px }
@media (max-width: 50rem) {
  body { display: block; height: auto } nav { border: 0; max-height: 40vh } main { padding: 16px }
  li { grid-template-columns: 4rem minmax(0, 1fr) } li bdi { grid-column: 1 / -1 } dl { grid-template-columns: 1fr }
}
`;
