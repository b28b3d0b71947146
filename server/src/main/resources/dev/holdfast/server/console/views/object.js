// SPDX-License-Identifier: Apache-2.0
import { path } from "../api.js";
import { diff } from "../diff.js";
import { h } from "../dom.js";
import { ago, count, name } from "../format.js";
import { classLink, empty, objectLink, problems, resourceLink, section, trail } from "../parts.js";
import { retry } from "../retry.js";
import { href } from "../router.js";
import { progress } from "../shares.js";
import { standing, statusOf } from "../status.js";
import { table } from "../table.js";
import { happenings } from "./history.js";
import { incidentTable } from "./incidents.js";
import { generation } from "./objects.js";

const HAPPENINGS = 20;

/** One object: what is wanted, what is served, and why they differ if they do. */
export function object(context, [kind, namespace, objectName]) {
  const { api } = context;
  const key = { kind, namespace, name: objectName };
  const isIt = (other) => other.kind === kind && other.namespace === namespace && other.name === objectName;
  const again = retry(context, key);
  return {
    title: name(key),
    async load(signal) {
      const [found, holds, incidents, happened] = await Promise.all([
        api.find(`objects/${path(kind, namespace, objectName)}`, signal),
        api.list(`holds?${new URLSearchParams({ kind, namespace })}`, signal),
        api.list("incidents", signal),
        historyOf(api, [kind, namespace, objectName], signal),
      ]);
      return {
        found,
        holds: holds.filter(isIt),
        incidents: incidents.filter(({ offendingObjects }) => offendingObjects.some(isIt)),
        happened,
      };
    },
    render({ found, holds, incidents, happened }) {
      return [
        trail("objects", href(["objects"])),
        found ? present(found, holds, again) : empty("This object does not exist."),
        incidents.length === 0 ? null : section("Incidents", incidentTable(incidents)),
        section(
          "History",
          happened.length === 0 ? empty("No events.") : happenings(happened, { withObject: false }),
        ),
      ];
    },
  };
}

/** Of a name with a slash in it, which only somebody with bad intentions writes, nothing can be asked. */
async function historyOf(api, parts, signal) {
  return parts.some((part) => part.includes("/"))
    ? []
    : api.list(`history?${new URLSearchParams({ limit: HAPPENINGS, object: parts.join("/") })}`, signal);
}

function present(found, holds, again) {
  return [
    standing(
      statusOf(found),
      [
        ["Generation", generation(found)],
        ["Proxies", progress(found.proxies)],
        ["Written at", found.location],
        [
          "Held for",
          holds
            .map(({ heldFor }) => heldFor)
            .filter((heldFor) => heldFor !== "")
            .join(", "),
        ],
        [holds.some(({ reason }) => reason === "Conflict") ? "Conflicts with" : "Waits for", causes(holds)],
      ],
      holds.length > 0 ? again.render(found) : null,
    ),
    problems("Problems", found.problems),
    problems("Warnings", found.warnings),
    problems("Not asked through a scout", found.notProbed),
    found.diff.length === 0 ? null : section("Changes that are not live", diff(found.diff)),
    section("Conditions", conditions(found)),
    Object.keys(found.byClass).length === 0 ? null : section("Proxies by class", classes(found)),
    section(
      "Resources",
      found.resources.length === 0
        ? empty("No xDS resources come from this object.")
        : h(
            "ul",
            { class: "links" },
            found.resources.map((resource) =>
              h("li", { "data-key": `${resource.type}/${resource.name}` }, resourceLink(resource, name(found))),
            ),
          ),
    ),
  ];
}

function causes(holds) {
  const keys = new Map(holds.filter(({ cause }) => cause).map(({ cause }) => [name(cause), cause]));
  return keys.size === 0 ? null : [...keys.values()].map((cause) => objectLink(cause));
}

function conditions(found) {
  return table({
    caption: "Conditions",
    items: found.conditions,
    key: ({ type }) => type,
    columns: [
      { title: "Condition", class: "narrow", cell: ({ type }) => type },
      { title: "Status", class: "narrow", cell: ({ status, reason }) => `${status}, ${reason}` },
      { title: "Message", class: "wide", cell: ({ message }) => message },
      { title: "Generation", class: "narrow", cell: ({ observedGeneration }) => String(observedGeneration) },
      { title: "Since", class: "narrow", cell: ({ lastTransitionTime }) => ago(lastTransitionTime) },
    ],
  });
}

function classes(found) {
  return table({
    caption: "Proxies by class",
    items: Object.entries(found.byClass),
    key: ([proxyClass]) => proxyClass,
    columns: [
      { title: "Class", class: "wide", cell: ([proxyClass]) => classLink(proxyClass) },
      { title: "Programmed", class: "narrow", cell: ([, counts]) => progress(counts) },
      { title: "Pending", class: "narrow", cell: ([, { pending }]) => count(pending, "proxy", "proxies") },
      { title: "Rejected", class: "narrow", cell: ([, { rejected }]) => count(rejected, "proxy", "proxies") },
    ],
  });
}
