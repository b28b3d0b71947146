// SPDX-License-Identifier: Apache-2.0
import { path } from "../api.js";
import { h } from "../dom.js";
import { ago, count, list, millis, name, names } from "../format.js";
import { empty, facts, objectLink, quote, resourceLink, section, trail } from "../parts.js";
import { picture, verdict } from "../picture.js";
import { href } from "../router.js";
import { badge, incidentStatus, statusOf } from "../status.js";
import { table } from "../table.js";
import { generation } from "./objects.js";

const OPEN_MILLIS = 250;
const MOST_OFFENDERS = 8;

/** One incident: how the search found the offending objects. */
export function incident({ api }, [id]) {
  return {
    title: `Incident ${id}`,
    async load(signal) {
      const found = await api.find(`incidents/${path(id)}`, signal);
      const offendingObjects = found?.offendingObjects.slice(0, MOST_OFFENDERS) ?? [];
      const now = await Promise.all(
        offendingObjects.map((key) => api.find(`objects/${path(key.kind, key.namespace, key.name)}`, signal)),
      );
      return { found, now };
    },
    refreshMillis: ({ found }) => (found?.tookMillis === null ? OPEN_MILLIS : 0),
    render: ({ found, now }) => [
      trail("incidents", href(["incidents"])),
      found ? present(found, now) : empty("This incident does not exist, or is no longer stored."),
    ],
  };
}

function present(found, now) {
  const status = incidentStatus(found);
  return [
    h(
      "div",
      { class: `standing ${status.tone}`, "data-key": "standing" },
      h("p", { class: "lead" }, badge(status), " ", story(found)),
      quote(found.message),
      facts([
        ["Rejected", resourceLink(found.resource)],
        ["By", found.class],
        ["When", ago(found.at)],
        ["Took", found.tookMillis === null ? "in progress" : millis(found.tookMillis)],
      ]),
    ),
    section("Search", picture(found)),
    found.evidence.length === 0 ? null : section("Caused by", offenders(found, now)),
    section(
      "Steps",
      h(
        "ol",
        { class: "steps" },
        found.steps.map((step) => h("li", null, step)),
      ),
    ),
    section("Trials", trials(found.trials)),
  ];
}

/** The whole of it in a sentence or two. */
export function story({ changes, pushes, offendingObjects, tookMillis }) {
  const began =
    changes === 1 ? "One change was rejected." : `${count(changes, "change")} were tried together and rejected.`;
  if (tookMillis === null) {
    return `${began} The search for the offending object is in progress.`;
  }
  if (offendingObjects.length === 0) {
    return `${began} The search found no offending object.`;
  }
  const how = pushes === 0 ? "without further trials" : `after ${count(pushes, "trial")}`;
  const found = `${names(offendingObjects)} caused it, found ${how}`;
  const others = changes - offendingObjects.length;
  return others <= 0
    ? `${began} ${found}.`
    : `${began} ${found}; ${others === 1 ? "the other change is" : `the other ${others} changes are`} live.`;
}

function offenders({ evidence }, now) {
  return h(
    "ul",
    { class: "cards" },
    evidence.map((proof, i) =>
      h(
        "li",
        { class: "card held", "data-key": `${name(proof.object)} ${proof.part}` },
        h("p", { class: "lead" }, objectLink(proof.object), ` generation ${proof.generation}`),
        quote(proof.message),
        facts([
          ["In", resourceLink(proof.resource)],
          ["Evidence", `${proof.agent} accepted the configuration without this change and rejected it with the change`],
          ["Now", i < now.length ? standing(now[i]) : null],
        ]),
      ),
    ),
  );
}

function standing(object) {
  return object
    ? h("span", { class: "now" }, badge(statusOf(object)), " generation ", generation(object))
    : "deleted";
}

function trials(items) {
  return table({
    caption: "Trials",
    items: items.map((trial, i) => ({ ...trial, i })),
    key: ({ i }) => String(i),
    columns: [
      { title: "After", class: "narrow", cell: ({ afterMillis }) => millis(afterMillis) },
      { title: "Changes", class: "narrow", cell: ({ changes }) => String(changes) },
      { title: "Canaries", cell: ({ canaries }) => list(canaries) },
      { title: "Verdict", class: "narrow", cell: (trial) => badge(verdict(trial.verdict)) },
    ],
  });
}
