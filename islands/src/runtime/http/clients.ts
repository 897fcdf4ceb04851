// The two ways to call the site (specification section 7). Both send the session's cookie, within the site only, and both
// encode a POST as a form: that is what every call reads.
import { read } from "../storage.js";
import { Http } from "./client.js";

/** For pages: who calls is the session. A token kept long ago can't stand in its way. */
export const forms = new Http();

/** For calls by login token, which is kept under `desk:token`: sent as Authorization on all of them except the login. */
export const tokens = /* @__PURE__ */ new Http({
  token: () => {
    const token = read("token");
    return typeof token === "string" ? token : undefined;
  },
});
