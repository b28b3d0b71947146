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
const MOST_CULPRITS = 8;

/** One incident: how it was found out who is to blame. */
export function incident({ api }, [id]) {
  return {
    title: `Incident ${id}`,
    async load(signal) {
      const found = await api.find(`incidents/${path(id)}`, signal);
      const culprits = found?.culprits.slice(0, MOST_CULPRITS) ?? [];
      const now = await Promise.all(
        culprits.map((key) => api.find(`objects/${path(key.kind, key.namespace, key.name)}`, signal)),
      );
      return { found, now };
    },
    refreshMillis: ({ found }) => (found?.tookMillis === null ? OPEN_MILLIS : 0),
    render: ({ found, now }) => [
      trail("incidents", href(["incidents"])),
      found ? present(found, now) : empty("No such incident is remembered."),
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
        ["Refused", resourceLink(found.resource)],
        ["By", found.class],
        ["When", ago(found.at)],
        ["Took", found.tookMillis === null ? "goes on" : millis(found.tookMillis)],
      ]),
    ),
    section("The search", picture(found)),
    found.certificates.length === 0 ? null : section("To blame", culprits(found, now)),
    section(
      "Step by step",
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
export function story({ changes, pushes, culprits, tookMillis }) {
  const began =
    changes === 1 ? "One change was refused." : `${count(changes, "change")} were tried together and refused.`;
  if (tookMillis === null) {
    return `${began} The search for the one to blame goes on.`;
  }
  if (culprits.length === 0) {
    return `${began} In the end nobody was to blame.`;
  }
  const how = pushes === 0 ? "at once" : `after ${count(pushes, "trial")}`;
  const found = `${names(culprits)} ${culprits.length === 1 ? "was" : "were"} found ${how}`;
  const others = changes - culprits.length;
  return others <= 0
    ? `${began} ${found}.`
    : `${began} ${found}; ${others === 1 ? "the other one is" : `the other ${others} are`} served.`;
}

function culprits({ certificates }, now) {
  return h(
    "ul",
    { class: "cards" },
    certificates.map((certificate, i) =>
      h(
        "li",
        { class: "card held", "data-key": `${name(certificate.object)} ${certificate.part}` },
        h("p", { class: "lead" }, objectLink(certificate.object), ` generation ${certificate.generation}`),
        quote(certificate.message),
        facts([
          ["In", resourceLink(certificate.resource)],
          ["Evidence", `accepted without its part, refused with it, by ${certificate.agent}`],
          ["Now", i < now.length ? standing(now[i]) : null],
        ]),
      ),
    ),
  );
}

function standing(object) {
  return object
    ? h("span", { class: "now" }, badge(statusOf(object)), " generation ", generation(object))
    : "it is gone";
}

function trials(items) {
  return table({
    caption: "Trials",
    items: items.map((trial, i) => ({ ...trial, i })),
    key: ({ i }) => String(i),
    columns: [
      { title: "After", class: "narrow", cell: ({ afterMillis }) => millis(afterMillis) },
      { title: "Changes", class: "narrow", cell: ({ changes }) => String(changes) },
      { title: "Tried by", cell: ({ canaries }) => list(canaries) },
      { title: "Answer", class: "narrow", cell: ({ answer }) => badge(verdict(answer)) },
    ],
  });
}
