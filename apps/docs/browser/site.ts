// What runs in the pages: the menu, which a narrow screen has closed, the search, and buttons that copy code.
import { addCopyButtons } from "./copy.ts";
import { startSearch } from "./search.ts";

const menu = document.querySelector<HTMLDetailsElement>("details.menu");
const isWide = matchMedia("(min-width: 60rem)");
const showMenu = () => {
  if (menu !== null) menu.open = isWide.matches;
};
isWide.addEventListener("change", showMenu);
showMenu();

const field = document.querySelector<HTMLInputElement>("#search");
const box = document.querySelector<HTMLElement>("#found");
if (field !== null && box !== null) startSearch(field, box);
addCopyButtons();
