// SPDX-License-Identifier: Apache-2.0
import { deletions } from "../deletions.js";
import { h } from "../dom.js";
import { fleetWords } from "../fleets.js";
import { ago, count, list, name, number } from "../format.js";
import { icon } from "../icons.js";
import { empty, facts, objectLink, problems, quote, section } from "../parts.js";
import { href } from "../router.js";
import { shares } from "../shares.js";
import { sparkline } from "../sparkline.js";
import { GROUPS, badge, titleOf } from "../status.js";
import { happenings } from "./history.js";
import { incidentTable } from "./incidents.js";
import { problemCards } from "./problems.js";

const FEW = 5;
const HAPPENINGS = 10;

/** Everything at a glance. */
export function overview(context) {
  const { api, pulse } = context;
  const waiting = deletions(context);
  return {
    title: "Overview",
    async load(signal) {
      const [, holds, listed, incidents, happened] = await Promise.all([
        pulse.beat(signal),
        api.list("holds", signal),
        api.list("problems", signal),
        api.list("incidents", signal),
        api.list(`history?limit=${HAPPENINGS}`, signal),
      ]);
      const deleted = pulse.summary.deletionsWaiting === 0 ? { items: [] } : await api.get("deletions", signal);
      return { holds, others: others(listed, holds), incidents, happened, deleted };
    },
    render(data) {
      const { summary, rates } = pulse;
      const groups = new Map(GROUPS.map(({ id }) => [id, summary.objects.states[id] ?? 0]));
      return [
        headline(summary, groups),
        h(
          "div",
          { class: "tiles" },
          GROUPS.map((group) => tile(group, groups.get(group.id))),
          proxiesTile(summary),
          rateTile(rates),
        ),
        shares(GROUPS.map((group) => ({ ...group, count: groups.get(group.id) }))),
        waiting.render(data.deleted),
        problems("Problems with the source", summary.sourceProblems),
        otherProblems(data.others),
        holds(data.holds),
        section(
          "Latest incidents",
          data.incidents.length === 0
            ? empty("No proxy has rejected a change.")
            : incidentTable(data.incidents.slice(0, FEW)),
        ),
        section(
          "Latest events",
          happenings(data.happened),
          h("p", null, h("a", { href: href(["history"]) }, "All events")),
        ),
      ];
    },
  };
}

/** The problems that are shown nowhere else on this page. */
function others(listed, holds) {
  const held = new Set(holds.map((hold) => name(hold)));
  return listed.filter(
    (problem) =>
      problem.severity === "problem" &&
      problem.reason !== "SourceProblem" &&
      problem.reason !== "NotConfirmed" &&
      !(problem.kind && held.has(name(problem))),
  );
}

function headline(summary, groups) {
  const { tone, words } = told(summary, groups);
  return h("p", { class: `headline ${tone}`, id: "headline" }, h("span", { class: "mark" }, icon(tone)), words);
}

/** The one thing to know: {tone, words}. */
function told(summary, groups) {
  if (!summary.ready) {
    return { tone: "wait", words: "The server is starting and reading objects." };
  }
  if (summary.problems > 0 || summary.deletionsWaiting > 0) {
    return inTrouble(summary, groups);
  }
  if (summary.objects.total === 0) {
    return { tone: "idle", words: "There are no objects yet. Add YAML files to the served directory." };
  }
  if (summary.proxies.connected === 0) {
    return { tone: "idle", words: "No proxy is connected." };
  }
  return groups.get("pending") > 0
    ? { tone: "wait", words: "A rollout is in progress." }
    : { tone: "ok", words: "Proxies run the newest generation of every object in use." };
}

/** Names everything that is wrong: what is not counted by any of its sorts counts as another problem. */
function inTrouble({ problems: all, proxies, sourceProblems, deletionsWaiting, stateProblem }, groups) {
  const sorts = [
    [stateProblem ? 1 : 0, "problem with the state keeps all edits waiting", ""],
    [groups.get("invalid"), "object is invalid and not served", "objects are invalid and not served"],
    [groups.get("partial"), "object is served only in part", "objects are served only in part"],
    [groups.get("held"), "object is held", "objects are held"],
    [deletionsWaiting, "deleted object is still served", "deleted objects are still served"],
    [sourceProblems.length, "problem with a file", "problems with files"],
    [proxies.diverged, "proxy rejects what others run", "proxies reject what others run"],
    [proxies.unable, "proxy has a local problem", "proxies have local problems"],
  ];
  const rest = all - sorts.reduce((sum, [many]) => sum + many, 0);
  const there = [...sorts, [rest, "other problem", "other problems"]].filter(([many]) => many > 0);
  const isOnlyHeld = there.length === 1 && groups.get("held") > 0;
  const isOnlyDeleted = there.length === 1 && deletionsWaiting > 0;
  return {
    tone: isOnlyHeld || isOnlyDeleted ? "held" : "bad",
    words:
      `${list(there.map(([many, one, more]) => count(many, one, more)))}. ` +
      (isOnlyHeld ? "Proxies keep the last good configuration; other objects are not affected." : "") +
      (isOnlyDeleted ? "Confirm the deletion, or put them back." : ""),
  };
}

function tile({ id, title, tone, hint }, many) {
  return h(
    "a",
    { class: `tile ${many > 0 ? tone : "none"}`, "data-key": id, href: href(["objects"], { status: id }) },
    h("span", { class: "title" }, title),
    h("span", { class: "value", id: `tile-${id}` }, number(many)),
    h("span", { class: "hint" }, hint),
  );
}

function proxiesTile({ proxies, fleets }) {
  const missing = fleets.filter(({ missingSince }) => missingSince !== null);
  const troubled = proxies.diverged + proxies.unable + missing.length;
  return h(
    "a",
    { class: `tile ${troubled > 0 ? "bad" : "plain"}`, "data-key": "proxies", href: href(["proxies"]) },
    h("span", { class: "title" }, "Proxies"),
    h("span", { class: "value", id: "tile-proxies" }, number(proxies.connected)),
    h(
      "span",
      { class: "hint" },
      missing.length > 0
        ? missing.map(fleetWords).join(", ")
        : `${number(proxies.diverged)} diverged`,
      proxies.unable > 0 ? `, ${number(proxies.unable)} with local problems` : "",
    ),
  );
}

function rateTile(rates) {
  const rate = rates.at(-1);
  return h(
    "div",
    { class: "tile plain", "data-key": "rate" },
    h("span", { class: "title" }, "ACKs per second"),
    h("span", { class: "value", id: "tile-rate" }, rate === undefined ? "–" : rate.toFixed(rate < 10 ? 1 : 0)),
    sparkline(rates),
  );
}

function holds(items) {
  if (items.length === 0) {
    return null;
  }
  return section(
    "Held",
    h(
      "ul",
      { class: "cards" },
      items.slice(0, FEW).map((hold) =>
        h(
          "li",
          { class: "card held", "data-key": `${hold.kind}/${hold.namespace}/${hold.name}/${hold.heldFor}` },
          h("p", { class: "lead" }, objectLink(hold), " ", badge({ tone: "held", title: titleOf(hold.reason) })),
          quote(hold.message),
          facts([
            ["Held", h("span", null, `generation ${hold.generation}, `, ago(hold.since))],
            ["Served instead", hold.servedGeneration === 0 ? "nothing" : `generation ${hold.servedGeneration}`],
            ["Rejected by", hold.class],
            ["Only for", hold.heldFor],
            [hold.reason === "Conflict" ? "Conflicts with" : "Waits for", hold.cause ? objectLink(hold.cause) : null],
          ]),
        ),
      ),
    ),
    items.length > FEW
      ? h("p", null, h("a", { href: href(["objects"], { status: "held" }) }, `All ${items.length}`))
      : null,
  );
}

function otherProblems(items) {
  return items.length === 0
    ? null
    : section(
        "Problems",
        problemCards(items.slice(0, FEW)),
        items.length > FEW ? h("p", null, h("a", { href: href(["problems"]) }, "All problems")) : null,
      );
}
