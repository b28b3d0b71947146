// SPDX-License-Identifier: Apache-2.0
import { deletions } from "../deletions.js";
import { h } from "../dom.js";
import { ago, count, number } from "../format.js";
import { icon } from "../icons.js";
import { empty, facts, objectLink, problems, proxyLink, quote, section } from "../parts.js";
import { href } from "../router.js";
import { shares } from "../shares.js";
import { sparkline } from "../sparkline.js";
import { GROUPS, badge, groupOf, titleOf } from "../status.js";
import { happenings } from "./history.js";
import { incidentTable } from "./incidents.js";

const FEW = 5;
const HAPPENINGS = 10;

/** Everything at a glance. */
export function overview(context) {
  const { api, pulse } = context;
  const waiting = deletions(context);
  return {
    title: "Overview",
    async load(signal) {
      const [summary, holds, incidents, happened] = await Promise.all([
        pulse.beat(signal),
        api.list("holds", signal),
        api.list("incidents", signal),
        api.list(`history?limit=${HAPPENINGS}`, signal),
      ]);
      const diverged =
        summary.proxies.diverged === 0 ? [] : (await api.list("proxies", signal)).filter((proxy) => proxy.diverged);
      const deleted = summary.deletionsWaiting === 0 ? { items: [] } : await api.get("deletions", signal);
      return { holds, incidents, happened, diverged, deleted };
    },
    render(data) {
      const { summary, rates } = pulse;
      const groups = grouped(summary.objects.programmed);
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
        holds(data.holds),
        diverged(data.diverged),
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

function grouped(reasons) {
  const groups = new Map(GROUPS.map(({ id }) => [id, 0]));
  for (const [reason, many] of Object.entries(reasons)) {
    groups.set(groupOf(reason), groups.get(groupOf(reason)) + many);
  }
  return groups;
}

function headline(summary, groups) {
  const { tone, words } = told(summary, groups);
  return h("p", { class: `headline ${tone}`, id: "headline" }, h("span", { class: "mark" }, icon(tone)), words);
}

/** The one thing to know: {tone, words}. */
function told(summary, groups) {
  const [held, invalid, pending] = ["held", "invalid", "pending"].map((id) => groups.get(id));
  if (!summary.ready) {
    return { tone: "wait", words: "The server is starting and reading objects." };
  }
  if (summary.objects.total === 0) {
    return { tone: "idle", words: "There are no objects yet. Add YAML files to the served directory." };
  }
  if (summary.deletionsWaiting > 0) {
    const many = count(summary.deletionsWaiting, "deleted object is", "deleted objects are");
    return { tone: "held", words: `${many} still served. Confirm the deletion, or put them back.` };
  }
  if (held > 0) {
    const many = count(held, "object is", "objects are");
    return {
      tone: "held",
      words: `${many} held. Proxies keep the last good configuration; other objects are not affected.`,
    };
  }
  if (invalid > 0) {
    return {
      tone: "bad",
      words: `${count(invalid, "object is", "objects are")} invalid. Other objects are not affected.`,
    };
  }
  if (summary.proxies.connected === 0) {
    return { tone: "idle", words: "No proxy is connected." };
  }
  return pending > 0
    ? { tone: "wait", words: "A rollout is in progress." }
    : { tone: "ok", words: "Proxies run the newest generation of every object in use." };
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

function proxiesTile({ proxies }) {
  const troubled = proxies.diverged + proxies.unable;
  return h(
    "a",
    { class: `tile ${troubled > 0 ? "bad" : "plain"}`, "data-key": "proxies", href: href(["proxies"]) },
    h("span", { class: "title" }, "Proxies"),
    h("span", { class: "value", id: "tile-proxies" }, number(proxies.connected)),
    h(
      "span",
      { class: "hint" },
      `${number(proxies.diverged)} diverged`,
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
            ["Waits for", hold.cause ? objectLink(hold.cause) : null],
          ]),
        ),
      ),
    ),
    items.length > FEW
      ? h("p", null, h("a", { href: href(["objects"], { status: "held" }) }, `All ${items.length}`))
      : null,
  );
}

function diverged(proxies) {
  if (proxies.length === 0) {
    return null;
  }
  return section(
    "Diverged proxies",
    h(
      "ul",
      { class: "cards" },
      proxies
        .slice(0, FEW)
        .map((proxy) =>
          h(
            "li",
            { class: "card bad", "data-key": proxy.node },
            h("p", { class: "lead" }, proxyLink(proxy.node), " ", badge({ tone: "bad", title: "Diverged" })),
            quote(proxy.diverged.message),
          ),
        ),
    ),
  );
}
