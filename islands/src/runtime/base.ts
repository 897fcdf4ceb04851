// What every island stands on, named in one place: whatever is named by the same scripts comes as one file, and a page with an
// island asks for a few files instead of twenty.
import "@preact/signals-react";
import "@preact/signals-react/runtime";
import "react";
import "react/jsx-runtime";
import "./element.js";
import "./focus.js";
import "./frugal.js";
import "./http/answer.js";
import "./http/clients.js";
import "./http/latest.js";
import "./idle.js";
import "./lazy.js";
import "./problem.js";
import "./storage.js";
import "./toasts.js";
import "./uuid.js";
