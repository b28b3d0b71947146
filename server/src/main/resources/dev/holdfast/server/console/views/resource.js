// SPDX-License-Identifier: Apache-2.0
import { path } from "../api.js";
import { h } from "../dom.js";
import { bytes } from "../format.js";
import { Origins } from "../origins.js";
import { empty, facts, objectLink, proxyLink, resourceLink, row, section, trail } from "../parts.js";
import { href } from "../router.js";
import { progress } from "../shares.js";
import { Tree } from "../tree.js";
import { counts } from "./resources.js";

/** One resource: its body, where each part of it came from, and who runs it. */
export function resource({ api, render }, [type, name]) {
  const tree = new Tree(render);
  return {
    title: `${type} ${name}`,
    load: async (signal) => ({ found: await api.find(`resources/${path(type, name)}`, signal) }),
    render: ({ found }) => [trail("resources", href(["resources"])), found ? present(found, tree) : empty("There is no such resource now.")],
  };
}

function present(found, tree) {
  return [
    h(
      "div",
      { class: "standing plain", "data-key": "standing" },
      facts([
        ["Message", h("code", null, found.typeUrl.split("/").at(-1))],
        ["Version", h("code", { title: found.version }, found.version.slice(0, 16))],
        ["Size", bytes(found.bytes)],
        ["Given", found.onlyByName ? "only to those who ask by name" : "to all who ask for the type"],
        ["Proxies", progress(counts(found))],
        ["Needs", found.clusters.length === 0 ? null : row(found.clusters.map((cluster) => resourceLink({ type: "Cluster", name: cluster })), 10)],
      ]),
    ),
    section(
      "From",
      found.objects.length === 0
        ? empty("No object: it is always there.")
        : h("p", null, row(found.objects.map(objectLink))),
    ),
    section("Who runs it", who("Accepted by", found.accepted), who("Not yet answered by", found.pending), who("Refused by", found.rejected), nobody(found)),
    section("Body", h("p", { class: "quiet" }, "Next to each part: the field of the object that it came from."), tree.render(found.body, new Origins(found.provenance))),
  ];
}

function who(title, nodes) {
  return nodes.length === 0 ? null : h("p", null, h("strong", null, `${title} `), row(nodes.map(proxyLink)));
}

function nobody({ accepted, pending, rejected }) {
  return accepted.length + pending.length + rejected.length === 0 ? empty("No connected proxy has been sent this version.") : null;
}
