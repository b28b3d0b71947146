// SPDX-License-Identifier: Apache-2.0
import { h } from "./dom.js";
import { ago, count, name } from "./format.js";
import { objectLink, section } from "./parts.js";
import { previewed } from "./preview.js";

const FEW = 8;
const MOST_HOSTS = 100;

/** The deletions that wait for a confirmation, and the two ways out: a button for users with a token. */
export function deletions(context) {
  const { api, session, announce, refresh, render } = context;
  const preview = previewed(context, "confirm-deletions");
  let told = "";
  let isUnderWay = false;
  const say = (text) => {
    told = text;
    announce(text);
    render();
  };
  const confirm = async (set) => {
    isUnderWay = true;
    render();
    try {
      const confirmed = await api.post(`deletions/confirm?${new URLSearchParams({ set })}`);
      isUnderWay = false;
      preview.close();
      say(`${count(confirmed.items.length, "object is", "objects are")} deleted.`);
    } catch (error) {
      isUnderWay = false;
      say(`The confirmation failed: ${error.message}.`);
    }
    refresh();
  };
  return {
    render({ set, hosts, items }) {
      if (items.length === 0) {
        return null;
      }
      return section(
        "Deletions that wait for a confirmation",
        h(
          "div",
          { class: "card held", id: "deletions" },
          h(
            "p",
            { class: "lead" },
            `${count(items.length, "object is", "objects are")} gone from the source. ` +
              `With them ${count(hosts.length, "host", "hosts")} would disappear, so they are still served.`,
          ),
          h(
            "ul",
            { class: "links" },
            items
              .slice(0, FEW)
              .map((item) => h("li", { "data-key": name(item) }, objectLink(item), ", deleted ", ago(item.since))),
            items.length > FEW ? h("li", { "data-key": "more" }, `and ${items.length - FEW} more`) : null,
          ),
          h("p", null, "If this is a mistake, put the objects back: the deletion is then forgotten."),
          session.mayAct
            ? h(
                "div",
                { class: "advice", "data-key": "confirm" },
                preview.render({
                  ask: `Delete ${count(items.length, "object", "objects")}`,
                  doIt: `Delete ${count(items.length, "object", "objects")} now`,
                  isUnderWay,
                  run: () => confirm(set),
                  steps: [
                    hosts.length === 0
                      ? "No host disappears."
                      : [`Requests for ${count(hosts.length, "host", "hosts")} are no longer answered: `, hostNames(hosts)],
                    "All proxies get this at once. It is no trial, and cannot be undone here; the objects can be written again.",
                    "If other objects are deleted in the meantime, nothing happens, and you are asked again.",
                  ],
                }),
                h("span", { class: "told" }, told === "" ? "If it is not, this button confirms it." : told),
              )
            : h(
                "p",
                { class: "advice", "data-key": "confirm" },
                "If it is not, confirm it: ",
                h("code", null, "holdfast confirm"),
              ),
        ),
      );
    },
  };
}

function hostNames(hosts) {
  return h(
    "span",
    { class: "name" },
    hosts.slice(0, MOST_HOSTS).join(", "),
    hosts.length > MOST_HOSTS ? ` and ${hosts.length - MOST_HOSTS} more` : "",
  );
}
