// SPDX-License-Identifier: Apache-2.0
import { empty } from "../parts.js";
import { proxyClass } from "./class.js";
import { history } from "./history.js";
import { incident } from "./incident.js";
import { incidents } from "./incidents.js";
import { object } from "./object.js";
import { objects } from "./objects.js";
import { overview } from "./overview.js";
import { problems } from "./problems.js";
import { proxies } from "./proxies.js";
import { proxy } from "./proxy.js";
import { resource } from "./resource.js";
import { resources } from "./resources.js";

/** By the first part of the address and how many follow. */
const VIEWS = {
  "/0": overview,
  "problems/0": problems,
  "objects/0": objects,
  "objects/3": object,
  "proxies/0": proxies,
  "proxies/1": proxy,
  "classes/1": proxyClass,
  "resources/0": resources,
  "resources/2": resource,
  "incidents/0": incidents,
  "incidents/1": incident,
  "history/0": history,
};

export function viewOf({ parts }, context) {
  const [first = "", ...rest] = parts;
  return (VIEWS[`${first}/${rest.length}`] ?? nowhere)(context, rest);
}

function nowhere() {
  return {
    title: "Not found",
    load: async () => true,
    render: () => [empty("This page does not exist.")],
  };
}
