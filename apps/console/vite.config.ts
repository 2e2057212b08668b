import { readFileSync } from "node:fs";
import { defineConfig } from "vite";

/** The page is part of the server, and has its version. */
const { version } = JSON.parse(
  readFileSync(new URL("../../packages/server/package.json", import.meta.url), "utf8"),
) as { version: string };

// Where `pnpm dev` finds a service: the demo of `call-media-server demo --serve`.
const SERVICE = "http://127.0.0.1:8080";

/** What the first page does not need. Everything else is one file, which packs better than many. */
const LATER =
  /\/hand-over\/|src\/check\/|packages\/sound\/|handover(?!.*(?:call-tally|call-selector))|fflate|search\/filter-|id-list|search\/counts|value-counts|count-each|search\/hints|search\/ways|kept-views|column-menu|picked-bar|command|search\/nothing|id-hit|account-menu|sign-in\.tsx|days-menu|src\/access\/|src\/marked|search\/passage|src\/about|src\/unknown|small-player|find-box|ui\/search-field|ui\/focus|\/mute\/(?!muted-places)|\/call\/|src\/read\/|\/player\/(?!playing|sound-worker)|\/text\/(?!text\.|counters)|\/workers\/|validate|schema-faults|answer-schemas|noble|\.css/;

/** Loaded with the first search with conditions. */
const CONDITIONS =
  /packages\/conditions\/src\/(?!condition\.|field-kinds|print|split)|(?:checking|language)\.ts|fetching\/chat/;

export default defineConfig({
  // Relative, so that the page works below any path.
  base: "./",
  define: { SERVER_VERSION: JSON.stringify(version) },
  build: {
    // Those of the packages that the page contains.
    license: { fileName: "licences.md" },
    target: "es2024",
    // The policy of the page forbids scripts and styles that are built into it.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      input: { index: "index.html", sound: "src/workers/sound.ts" },
      output: {
        // A service worker is known by its address, so that this one has no hash.
        codeSplitting: {
          groups: [
            // What both the page and the words need would else take the words along.
            { name: "fields", test: /packages\/words\/src\/sources/ },
            { name: "words", test: /packages\/words\// },
            {
              name: "page",
              test: (id) => !LATER.test(id) && !CONDITIONS.test(id) && !id.includes("sound.ts"),
            },
            { name: "conditions", test: CONDITIONS },
            // With all that plays, which a call's page needs as well.
            { name: "player", test: /small-player|player\/play\.ts|call-words/ },
            // Small ones: each file of its own would cost as much as it saves.
            {
              name: "menus",
              test: /menu-words|ui\/(?:focus|search-field)|-menu\.|kept-views|picked-bar|id-hit|src\/unknown/,
            },
            { name: "passages", test: /search\/passage/ },
            // Each of these counts.
            {
              name: "counting",
              test: /search\/(?:count-each|counts|value-counts|hints|nothing|ways)\./,
            },
            // A user who reads one call usually reads others.
            {
              name: "texts",
              test: /src\/(?:call|read)\/(?!lines|load)|find-box|style\/(?:call|read|line)/,
            },
          ],
        },
        entryFileNames: ({ name }) => (name === "sound" ? "sound.js" : "assets/[name]-[hash].js"),
      },
    },
  },
  worker: { format: "es" },
  server: {
    proxy: Object.fromEntries(
      ["/Token", "/metadata", "/users", "/recording", "/flags", "/chat", "/console"].map((path) => [
        path,
        process.env["CALL_MEDIA_SERVICE"] ?? SERVICE,
      ]),
    ),
  },
});
