// SPDX-License-Identifier: Apache-2.0
import { h, svg } from "./dom.js";
import { count, millis, name, names } from "./format.js";
import { SHAPES } from "./icons.js";

const ROW = 52;
const GAP = 12; // below a row
const MIDDLE = 18; // of a row's circle
const SPINE = 16;
const INDENT = 42;
const MOST_AT_EACH_END = 12;
const LONGEST_NAME = 30; // as much as a phone has room for; the page has all of it

const VERDICTS = {
  accepted: { tone: "ok", title: "Accepted" },
  refused: { tone: "bad", title: "Rejected" },
  none: { tone: "idle", title: "No verdict" },
  open: { tone: "wait", title: "In progress" },
};

/** {tone, title} of the verdict on a trial. */
export function verdict(word) {
  return VERDICTS[word] ?? { tone: "idle", title: word };
}

/**
 * A search as a picture, from top to bottom: the baseline, every trial, and the offending objects. A trial's
 * bar is as long as it has changes, and begins where those end that are accepted already: what was
 * accepted is never tried again. It is as wide as there is room for.
 */
export function picture(incident) {
  const rows = [
    { tone: "ok", title: "Baseline", note: "the configuration that proxies ran before" },
    ...shortened(trialRows(incident)),
    endRow(incident),
  ];
  return h(
    "div",
    { class: "picture" },
    svg(
      "svg",
      { role: "img", "aria-label": words(incident), width: "100%", height: rows.length * ROW - GAP },
      svg("line", { class: "spine", x1: SPINE, x2: SPINE, y1: MIDDLE, y2: (rows.length - 1) * ROW + MIDDLE }),
      rows.map((row, i) => drawn(row, i * ROW)),
    ),
  );
}

function trialRows({ changes: all, trials }) {
  const most = Math.max(1, all, ...trials.map(({ changes }) => changes));
  let accepted = 0;
  return trials.map(({ afterMillis, changes, verdict: word }) => {
    const { tone, title } = verdict(word);
    const before = Math.min(accepted, most - changes);
    accepted += word === "accepted" ? changes : 0;
    return {
      tone,
      title: count(changes, "change"),
      note: title.toLowerCase(),
      after: `+${millis(afterMillis)}`,
      bar: { before: before / most, share: changes / most },
    };
  });
}

function endRow({ offendingObjects, tookMillis }) {
  const after = tookMillis === null ? undefined : `+${millis(tookMillis)}`;
  if (offendingObjects.length > 0) {
    const more = offendingObjects.length > 1 ? ` and ${offendingObjects.length - 1} more` : "";
    return {
      tone: "held",
      title: short(name(offendingObjects[0])) + more,
      note: "caused the rejection: held, all other changes are live",
      after,
      isEnd: true,
    };
  }
  return tookMillis === null
    ? { tone: "wait", title: "Searching", note: "" }
    : { tone: "ok", title: "No offending object", note: "", after };
}

function short(text) {
  return text.length <= LONGEST_NAME ? text : `${text.slice(0, LONGEST_NAME - 1)}…`;
}

/** Of very many trials only the first and the last; the table has all. */
function shortened(rows) {
  if (rows.length <= 2 * MOST_AT_EACH_END) {
    return rows;
  }
  const left = rows.length - 2 * MOST_AT_EACH_END;
  return [
    ...rows.slice(0, MOST_AT_EACH_END),
    { tone: "idle", title: `${left} more trials`, note: "" },
    ...rows.slice(-MOST_AT_EACH_END),
  ];
}

function drawn({ tone, title, note, after, bar, isEnd }, top) {
  return svg(
    "g",
    { class: `step ${tone}${isEnd ? " end" : ""}` },
    svg("circle", { cx: SPINE, cy: top + MIDDLE, r: 11 }),
    svg("path", { d: SHAPES[tone], transform: `translate(${SPINE - 8} ${top + MIDDLE - 8})` }),
    // As wide as the picture, and so beyond its right end; the style sheet leaves room there.
    svg(
      "svg",
      { x: INDENT, y: top, width: "100%", height: ROW, overflow: "visible" },
      svg(
        "text",
        { y: bar ? 15 : 23 },
        svg("tspan", { class: "title" }, title),
        note === "" ? null : svg("tspan", { class: bar ? "note" : "note aside" }, `  ${note}`),
      ),
      after === undefined ? null : svg("text", { class: "after", x: "100%", y: bar ? 15 : 23 }, after),
      bar ? drawnBar(bar) : null,
    ),
  );
}

function drawnBar({ before, share }) {
  const rect = (kind, from, width) =>
    svg("rect", { class: kind, x: `${100 * from}%`, y: 23, width: `${100 * width}%`, height: 9, rx: 4.5 });
  return [
    rect("track", 0, 1),
    before > 0 ? rect("before", 0, before) : null,
    rect("bar", before, Math.max(0.012, share)),
  ];
}

function words({ changes, trials, offendingObjects, tookMillis }) {
  const steps = trials.map((trial) => `${count(trial.changes, "change")} ${verdict(trial.verdict).title.toLowerCase()}`);
  const shown = steps.length > 40 ? [...steps.slice(0, 40), "and so on"] : steps;
  const end =
    offendingObjects.length > 0
      ? `caused by ${names(offendingObjects)}`
      : tookMillis === null
        ? "the search is in progress"
        : "no offending object was found";
  return `Search among ${count(changes, "change")}. ${shown.join(", ")}; ${end}.`;
}
