// SPDX-License-Identifier: Apache-2.0
import { h } from "../dom.js";
import { ago, count, number } from "../format.js";
import { empty, objectLink, proxyLink, section, trail } from "../parts.js";
import { href } from "../router.js";
import { progress } from "../shares.js";
import { badge, proxyStatus, standing, statusOf, titleOf } from "../status.js";
import { table } from "../table.js";

const MOST = 50;

/** One class: proxies that validate alike, and what is not the same for them as for others. */
export function proxyClass({ api }, [name]) {
  return {
    title: `Class ${name}`,
    async load(signal) {
      const [proxies, objects, holds] = await Promise.all([
        api.list("proxies", signal),
        api.list("objects", signal),
        api.list("holds", signal),
      ]);
      return {
        proxies: proxies.filter((proxy) => proxy.class === name),
        objects: objects.filter(({ byClass }) => byClass[name]),
        holds: holds.filter((hold) => hold.class === name || hold.heldFor === name),
      };
    },
    render({ proxies, objects, holds }) {
      if (proxies.length === 0 && objects.length === 0 && holds.length === 0) {
        return [trail("proxies", href(["proxies"])), empty("No proxy of this class is connected.")];
      }
      const behind = objects.filter(({ byClass }) => byClass[name].programmed < byClass[name].total);
      return [
        trail("proxies", href(["proxies"])),
        standing(stateOf(proxies, behind), [
          ["Proxies", number(proxies.filter(({ scout }) => !scout).length)],
          ["Scouts", scoutsOf(proxies)],
          ["Diverged", number(proxies.filter(({ diverged }) => diverged).length)],
          ["Objects in use", number(objects.length)],
        ]),
        holds.length === 0 ? null : section("Held because of this class", holdTable(holds)),
        behind.length === 0 ? null : section("Not run by all of its proxies", objectTable(behind, name)),
        proxies.length === 0 ? null : section("Proxies", proxyTable(proxies)),
      ];
    },
  };
}

function stateOf(proxies, behind) {
  if (proxies.some(({ newClass }) => newClass)) {
    return { tone: "wait", title: "New", message: "Its proxies do not count in the status of any object yet." };
  }
  if (proxies.some(({ diverged }) => diverged)) {
    return { tone: "bad", title: "Diverged", message: "Some of its proxies reject what the others run." };
  }
  return behind.length > 0
    ? { tone: "wait", title: "Behind", message: `${count(behind.length, "object")} not run by all of its proxies` }
    : { tone: "ok", title: "In sync", message: "" };
}

function scoutsOf(proxies) {
  const scouts = proxies.filter(({ scout }) => scout);
  const asked = scouts.filter(({ scout }) => scout.idle === "");
  return scouts.length === 0 ? null : `${number(scouts.length)}, ${number(asked.length)} asked first`;
}

function holdTable(holds) {
  return table({
    caption: "Held objects",
    items: holds.slice(0, MOST),
    key: (hold) => `${hold.kind}/${hold.namespace}/${hold.name}`,
    columns: [
      { title: "Reason", class: "narrow", cell: ({ reason }) => badge({ tone: "held", title: titleOf(reason) }) },
      {
        title: "Object",
        class: "wide",
        cell: (hold) => [objectLink(hold), h("span", { class: "message" }, hold.message)],
      },
      { title: "Held for", cell: ({ heldFor }) => (heldFor === "" ? "all classes" : "this class") },
      { title: "Since", class: "narrow", cell: ({ since }) => ago(since) },
    ],
  });
}

function objectTable(objects, name) {
  return table({
    caption: "Objects",
    items: objects.slice(0, MOST),
    key: (object) => `${object.kind}/${object.namespace}/${object.name}`,
    columns: [
      { title: "Status", class: "narrow bare", cell: (object) => badge(statusOf(object)) },
      { title: "Object", class: "wide", cell: (object) => objectLink(object) },
      { title: "Proxies of this class", class: "narrow", cell: ({ byClass }) => progress(byClass[name]) },
    ],
  });
}

function proxyTable(proxies) {
  return table({
    caption: "Proxies",
    items: proxies.slice(0, MOST),
    key: ({ node }) => node,
    columns: [
      { title: "Status", class: "narrow bare", cell: (proxy) => badge(proxyStatus(proxy)) },
      { title: "Proxy", class: "wide", cell: ({ node }) => proxyLink(node) },
      { title: "Cluster", class: "narrow", cell: ({ cluster }) => cluster },
      { title: "Connected", class: "narrow", cell: ({ streams }) => (streams.length === 0 ? "" : ago(streams[0].since)) },
    ],
  });
}
