// What all parts of the editor stand on, in one file: cut by who needs what it would be four, and on a slow line each costs a way
// there and back.
import "./actions.js";
import "./calls.js";
import "./context.js";
import "./edit.js";
import "./keys.js";
import "./pages.js";
import "./placing.js";
import "./pressing.js";
import "./Strip.js";
import "./View.js";
