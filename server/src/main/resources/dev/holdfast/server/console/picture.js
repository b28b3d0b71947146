// SPDX-License-Identifier: Apache-2.0
import { svg } from "./dom.js";
import { count, list, millis, name } from "./format.js";
import { SHAPES } from "./icons.js";

const ROW = 52;
const SPINE = 16;
const TEXT = 42;
const MOST_AT_EACH_END = 12;

const VERDICTS = {
  accepted: { tone: "ok", title: "Accepted" },
  refused: { tone: "bad", title: "Refused" },
  none: { tone: "idle", title: "No answer" },
  open: { tone: "wait", title: "Under way" },
};

/** {tone, title} of an answer to a trial. */
export function verdict(answer) {
  return VERDICTS[answer] ?? { tone: "idle", title: answer };
}

/**
 * A search as a picture, from top to bottom: the baseline, every trial with how many changes were in it
 * and what became of it, and who is to blame. It is as wide as there is room for.
 */
export function picture(incident) {
  const rows = [
    { tone: "ok", title: "Baseline", note: "what proxies ran before", share: null },
    ...shortened(incident.trials.map((trial) => trialRow(trial, incident))),
    endRow(incident),
  ];
  return svg(
    "svg",
    { class: "picture", role: "img", "aria-label": words(incident), width: "100%", height: rows.length * ROW },
    svg("line", { class: "spine", x1: SPINE, x2: SPINE, y1: ROW / 2 - 8, y2: rows.length * ROW - ROW / 2 - 8 }),
    rows.map((row, i) => drawn(row, i * ROW)),
  );
}

function trialRow({ afterMillis, changes, answer }, incident) {
  const { tone, title } = verdict(answer);
  const most = Math.max(1, incident.changes, ...incident.trials.map((trial) => trial.changes));
  return { tone, title: count(changes, "change"), note: title.toLowerCase(), after: `+${millis(afterMillis)}`, share: changes / most };
}

function endRow({ culprits, tookMillis }) {
  const after = tookMillis === null ? undefined : `+${millis(tookMillis)}`;
  if (culprits.length > 0) {
    const more = culprits.length > 1 ? ` and ${culprits.length - 1} more` : "";
    return { tone: "held", title: name(culprits[0]) + more, note: "to blame: held, all else is served", after, share: null, isEnd: true };
  }
  return tookMillis === null
    ? { tone: "wait", title: "Searching", note: "", share: null }
    : { tone: "ok", title: "Nobody is to blame", note: "", after, share: null };
}

/** Of very many trials only the first and the last; the table has all. */
function shortened(rows) {
  if (rows.length <= 2 * MOST_AT_EACH_END) {
    return rows;
  }
  const left = rows.length - 2 * MOST_AT_EACH_END;
  return [...rows.slice(0, MOST_AT_EACH_END), { tone: "idle", title: `${left} more trials`, note: "", share: null }, ...rows.slice(-MOST_AT_EACH_END)];
}

function drawn({ tone, title, note, after, share, isEnd }, top) {
  const middle = top + ROW / 2 - 8;
  return svg(
    "g",
    { class: `step ${tone}${isEnd ? " end" : ""}` },
    svg("circle", { cx: SPINE, cy: middle, r: 11 }),
    svg("path", { d: SHAPES[tone], transform: `translate(${SPINE - 8} ${middle - 8})` }),
    svg("text", { x: TEXT, y: top + 18 }, svg("tspan", { class: "title" }, title), note === "" ? null : svg("tspan", { class: "note" }, `  ${note}`)),
    after === undefined ? null : svg("text", { class: "after", x: "100%", y: top + 18 }, after),
    share === null
      ? null
      : svg(
          "svg",
          { class: "bars", y: top + 27, height: 8 },
          svg("rect", { class: "track", width: "100%", height: 8, rx: 4 }),
          svg("rect", { class: "bar", width: `${Math.max(1.5, 100 * share)}%`, height: 8, rx: 4 }),
        ),
  );
}

function words({ changes, trials, culprits, tookMillis }) {
  const steps = trials.map((trial) => `${count(trial.changes, "change")} ${verdict(trial.answer).title.toLowerCase()}`);
  const shown = steps.length > 40 ? [...steps.slice(0, 40), "and so on"] : steps;
  const end = culprits.length > 0 ? `to blame: ${list(culprits.map(name))}` : tookMillis === null ? "the search goes on" : "nobody is to blame";
  return `Search among ${count(changes, "change")}. ${shown.join(", ")}; ${end}.`;
}
