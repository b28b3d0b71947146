// SPDX-License-Identifier: Apache-2.0
import { Announcer } from "./announcer.js";
import { Api } from "./api.js";
import { serverTime } from "./format.js";
import { Frame } from "./frame.js";
import { sentence } from "./happening.js";
import { Live } from "./live.js";
import { Pulse } from "./pulse.js";
import { isRoute, replaceQuery, route } from "./router.js";
import { Screen } from "./screen.js";
import { Session } from "./session.js";
import { TokenDialog } from "./token.js";
import { trouble } from "./trouble.js";
import { viewOf } from "./views/all.js";

const REDRAW_MILLIS = 10_000;

const main = document.getElementById("main");
const session = new Session();
const api = new Api(session);
const announcer = new Announcer(document.getElementById("announcer"));
const tokens = new TokenDialog(document.getElementById("token-dialog"), api, session, () => {
  frame.render();
  screen.refresh();
  live.resume();
});
const screen = new Screen(main, (error) =>
  trouble(
    error,
    () => tokens.ask(),
    () => screen.refresh(),
  ),
);
const pulse = new Pulse(api, {
  onBeat(summary) {
    serverTime(summary.now);
    frame.render();
    screen.render();
  },
  onRound() {
    if (live.state === "lost") {
      screen.refresh(); // it answers, even if it has no ear for one more listener
    } else {
      screen.refreshIfOld();
    }
  },
});
const live = new Live(api, {
  onState(state) {
    frame.render();
    if (state === "locked") {
      tokens.ask();
    } else if (state === "lost") {
      announcer.say("The connection to the server is lost.");
    } else if (state === "live") {
      announcer.say("Connected to the server.");
    }
  },
  onEvent(event) {
    announcer.say(sentence(event));
    screen.refresh();
  },
  onGap: () => screen.refresh(),
});
const frame = new Frame({
  live,
  pulse,
  session,
  forget() {
    session.forget();
    location.reload(); // with all that was shown
  },
});

/** What views may use. */
const context = {
  api,
  pulse,
  session,
  announce: (text) => announcer.say(text),
  refresh: () => screen.refresh(),
  render: () => screen.render(),
  choose(changes) {
    replaceQuery(changes);
    screen.render();
  },
};

function go(isFirst) {
  if (!isRoute()) {
    return;
  }
  const view = viewOf(route(), context);
  document.title = `${view.title} · Holdfast`;
  screen.show(view);
  frame.render();
  if (!isFirst) {
    window.scrollTo(0, 0);
    document.getElementById("title").focus({ preventScroll: true });
  }
}

document.getElementById("skip").onclick = (event) => {
  event.preventDefault(); // the address stays that of the page
  main.focus();
};
window.addEventListener("hashchange", () => go(false));
document.addEventListener("visibilitychange", () => live.resume());
setInterval(() => screen.render(), REDRAW_MILLIS); // "3 minutes ago" grows old
go(true);
void live.run();
void pulse.run();
