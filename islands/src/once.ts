// Pages with fields that tell one showing of theirs from another: what a form makes is made once. One that was gone back to is shown
// anew.
import { newId } from "./page/once.js";

addEventListener("pageshow", ({ persisted }) => {
  if (persisted) for (const field of document.querySelectorAll<HTMLInputElement>("input[data-once]")) field.value = newId();
});
