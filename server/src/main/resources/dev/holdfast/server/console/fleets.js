// SPDX-License-Identifier: Apache-2.0
import { h } from "./dom.js";
import { ago, number } from "./format.js";
import { section } from "./parts.js";
import { badge } from "./status.js";

/** "18 of 20 edge", or "18 of 20" of all. */
export function fleetWords({ name, expected, connected }) {
  return `${number(connected)} of ${number(expected)}${name === "all" ? "" : ` ${name}`}`;
}

/** The fleets that the operator expects, and which are too small; nothing if nobody said. */
export function fleetList(fleets) {
  return fleets.length === 0
    ? null
    : section(
        "Expected proxies",
        h(
          "ul",
          { class: "fleets" },
          fleets.map((fleet) =>
            h(
              "li",
              { "data-key": fleet.name },
              badge(fleet.missingSince === null ? { tone: "ok", title: "Complete" } : { tone: "bad", title: "Missing" }),
              " ",
              fleet.name === "all" ? "All proxies" : h("span", { class: "name" }, fleet.name),
              `: ${number(fleet.connected)} of ${number(fleet.expected)} are connected`,
              fleet.missingSince === null ? null : [", fewer since ", ago(fleet.missingSince)],
            ),
          ),
        ),
      );
}
