// SPDX-License-Identifier: Apache-2.0
import { h } from "./dom.js";
import { icon } from "./icons.js";
import { facts, quote } from "./parts.js";

/** The sorts of objects, in the order in which they are shown. */
export const GROUPS = [
  { id: "programmed", title: "Programmed", tone: "ok", hint: "every proxy runs the newest generation" },
  { id: "pending", title: "Pending", tone: "wait", hint: "some proxies have not answered yet" },
  { id: "held", title: "Held", tone: "held", hint: "the newest generation is not served" },
  { id: "partial", title: "Partly served", tone: "bad", hint: "served, but not all of it" },
  { id: "invalid", title: "Invalid", tone: "bad", hint: "not valid, and not served" },
  { id: "idle", title: "Not in use", tone: "idle", hint: "no proxy uses it" },
];

/** The groups that somebody has to look at. */
export const TROUBLED = ["held", "partial", "invalid"];

const REASONS = {
  Rejected: "Held",
  RejectedNew: "Held, new",
  ProxyDied: "Held, proxies died",
  ProxyHung: "Held, proxies hang",
  ProbeFailed: "Held, a probe failed",
  DependencyRejected: "Held, dependency",
  AttributionPending: "Held, searching",
  Conflict: "Held, conflict",
  Invalid: "Held, invalid",
  InvalidNew: "Invalid",
  NoDataPlane: "No proxies",
  NotReferenced: "Not in use",
  SourceProblem: "File problem",
  StateNotWritable: "Edits wait",
  NotConfirmed: "Deletion waits",
  Unreadable: "Not read",
  Duplicate: "Defined twice",
  LocalProblem: "Local problem",
  NoAnswer: "No answer",
  RemovalRefused: "Removal refused",
  NodeIdShared: "Node id not unique",
  ScoutNotAsked: "Scout not asked",
  ProxiesMissing: "Proxies missing",
};

/** What a reason is called. */
export function titleOf(reason) {
  return REASONS[reason] ?? reason;
}

export function condition(object, type) {
  return object.conditions.find((found) => found.type === type) ?? { status: "Unknown", reason: "", message: "" };
}

/** {group, tone, title, message, since} of an object. The server says which group it is in. */
export function statusOf(object) {
  const programmed = condition(object, "Programmed");
  const valid = condition(object, "Valid");
  const told = programmed.status !== "False" && valid.status === "False" ? valid : programmed;
  const group = GROUPS.find(({ id }) => id === object.state) ?? GROUPS.at(-1);
  return {
    group: group.id,
    tone: group.tone,
    title: group.id === "held" || group.id === "idle" ? titleOf(programmed.reason) : group.title,
    message: told.message,
    since: told.lastTransitionTime,
  };
}

/** {tone, title} of something that is listed as a problem. */
export function problemStatus(problem) {
  if (problem.severity === "warning") {
    return { tone: "wait", title: "Warning" };
  }
  if (problem.serving === "part") {
    return { tone: "bad", title: "Partly served" };
  }
  const isHeld = problem.kind !== "" && problem.reason !== "InvalidNew";
  return { tone: isHeld ? "held" : "bad", title: titleOf(problem.reason) };
}

/** {tone, title, message} of a proxy. */
export function proxyStatus(proxy) {
  const types = proxy.streams.flatMap((stream) => stream.types);
  const refusing = types.find((type) => isRefusing(type));
  if (proxy.diverged) {
    return { tone: "bad", title: "Diverged", message: proxy.diverged.message };
  }
  if (proxy.scout) {
    return proxy.scout.idle === ""
      ? { tone: "ok", title: "Scout", message: "tries every change first, and serves nobody" }
      : { tone: "wait", title: "Scout, not asked", message: proxy.scout.idle };
  }
  if (refusing) {
    const unable = refusing.lastError.retryAt !== null;
    return { tone: unable ? "bad" : "held", title: unable ? "Local problem" : "Rejected", message: refusing.lastError.message };
  }
  return types.some((type) => type.pendingSince !== null)
    ? { tone: "wait", title: "Pending", message: "has not answered yet" }
    : { tone: "ok", title: "In sync", message: "" };
}

/** Whether a proxy rejects what it should run now; what it rejected once and need not run is no trouble. */
export function isRefusing(type) {
  return (
    type.lastError !== null &&
    type.pendingSince === null &&
    (type.lastError.retryAt !== null || type.refuses.length > 0)
  );
}

/** {tone, title} of an incident. */
export function incidentStatus(incident) {
  if (incident.tookMillis === null) {
    return { tone: "wait", title: "Searching" };
  }
  return incident.offendingObjects.length > 0 ? { tone: "held", title: "Found" } : { tone: "ok", title: "Resolved" };
}

export function badge({ tone, title }) {
  return h("span", { class: `badge ${tone}` }, icon(tone), title);
}

/** How the one thing fares that a page is about. */
export function standing(status, pairs, ...more) {
  return h(
    "div",
    { class: `standing ${status.tone}`, "data-key": "standing" },
    h("p", { class: "lead" }, badge(status)),
    quote(status.message),
    facts(pairs),
    ...more,
  );
}
