// SPDX-License-Identifier: Apache-2.0
import { h } from "../dom.js";
import { ago } from "../format.js";
import { empty, facts, objectLink, proxyLink, quote, section } from "../parts.js";
import { badge, problemStatus } from "../status.js";

/** Everything that is not as its author wants it. */
export function problems({ api }) {
  return {
    title: "Problems",
    load: (signal) => api.list("problems", signal),
    render(items) {
      const isWarning = ({ severity }) => severity === "warning";
      const warnings = items.filter(isWarning);
      const found = items.filter((item) => !isWarning(item));
      return [
        found.length === 0 ? empty("There are no problems.") : problemCards(found),
        warnings.length === 0 ? null : section("Warnings", problemCards(warnings)),
      ];
    },
  };
}

export function problemCards(items) {
  return h(
    "ul",
    { class: "cards" },
    items.map((problem, i) => card(problem, i)),
  );
}

function card(problem, i) {
  const status = problemStatus(problem);
  const about = `${problem.kind}/${problem.namespace}/${problem.name}/${problem.proxy}/${problem.location}`;
  return h(
    "li",
    { class: `card ${status.tone}`, "data-key": `${about} ${problem.severity} ${i}` },
    h("p", { class: "lead" }, subject(problem), " ", badge(status)),
    quote(problem.message),
    problem.details
      .filter((detail) => !problem.message.includes(detail))
      .map((detail) => h("p", { class: "quote" }, detail)),
    facts([
      ["Since", problem.since ? ago(problem.since) : null],
      ["Served", served(problem)],
      ["Written at", problem.kind === "" ? null : problem.location],
    ]),
  );
}

function subject(problem) {
  if (problem.kind !== "") {
    return objectLink(problem);
  }
  return problem.proxy === "" ? h("span", { class: "name" }, problem.location) : proxyLink(problem.proxy);
}

function served({ serving, generation, servedGeneration }) {
  switch (serving) {
    case "nothing":
      return "nothing";
    case "previous":
      return `generation ${servedGeneration} instead of ${generation}`;
    case "part":
      return `part of generation ${servedGeneration}`;
    case "all":
      return `generation ${servedGeneration}`;
    default:
      return null;
  }
}
