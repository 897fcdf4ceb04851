// A page with islands and no script of its own.
import "./runtime/element.js";
