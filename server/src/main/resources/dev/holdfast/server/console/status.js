// SPDX-License-Identifier: Apache-2.0
import { h } from "./dom.js";
import { icon } from "./icons.js";
import { facts, quote } from "./parts.js";

/** The sorts of objects, in the order in which they are shown. */
export const GROUPS = [
  { id: "programmed", title: "Programmed", tone: "ok", hint: "every proxy runs the newest generation" },
  { id: "pending", title: "Pending", tone: "wait", hint: "some proxies have not answered yet" },
  { id: "held", title: "Held", tone: "held", hint: "rejected; the last good generation is served" },
  { id: "invalid", title: "Invalid", tone: "bad", hint: "has validation errors" },
  { id: "idle", title: "Not in use", tone: "idle", hint: "no proxy uses it" },
];

const REASONS = {
  Programmed: ["programmed", "Programmed"],
  Pending: ["pending", "Pending"],
  Rejected: ["held", "Held"],
  RejectedNew: ["held", "Held, new"],
  DependencyRejected: ["held", "Held, dependency"],
  AttributionPending: ["held", "Held, searching"],
  Conflict: ["held", "Held, conflict"],
  Invalid: ["held", "Held, invalid"],
  InvalidNew: ["invalid", "Invalid"],
  NoDataPlane: ["idle", "No proxies"],
  NotReferenced: ["idle", "Not in use"],
};

/** The group of a reason of the condition Programmed. */
export function groupOf(reason) {
  return REASONS[reason]?.[0] ?? "idle";
}

/** What a reason is called. */
export function titleOf(reason) {
  return REASONS[reason]?.[1] ?? reason;
}

export function condition(object, type) {
  return object.conditions.find((found) => found.type === type) ?? { status: "Unknown", reason: "", message: "" };
}

/** {group, tone, title, message, since} of an object. */
export function statusOf(object) {
  const programmed = condition(object, "Programmed");
  const valid = condition(object, "Valid");
  const isInvalid = valid.status === "False" && programmed.reason !== "NotReferenced";
  const group = isInvalid && groupOf(programmed.reason) !== "held" ? "invalid" : groupOf(programmed.reason);
  const told = isInvalid && group === "invalid" ? valid : programmed;
  return {
    group,
    tone: GROUPS.find(({ id }) => id === group).tone,
    title: group === "invalid" ? "Invalid" : titleOf(programmed.reason),
    message: told.message,
    since: told.lastTransitionTime,
  };
}

/** {tone, title, message} of a proxy. */
export function proxyStatus(proxy) {
  const types = proxy.streams.flatMap((stream) => stream.types);
  const refusing = types.find((type) => isRefusing(type));
  if (proxy.diverged) {
    return { tone: "bad", title: "Diverged", message: proxy.diverged.message };
  }
  if (refusing) {
    const unable = refusing.lastError.retryAt !== null;
    return { tone: unable ? "bad" : "held", title: unable ? "Local problem" : "Rejected", message: refusing.lastError.message };
  }
  return types.some((type) => type.pendingSince !== null)
    ? { tone: "wait", title: "Pending", message: "has not answered yet" }
    : { tone: "ok", title: "In sync", message: "" };
}

/** Whether the last word on a type was no. */
export function isRefusing(type) {
  return (
    type.lastError !== null &&
    type.pendingSince === null &&
    (type.lastError.retryAt !== null || type.versionSent !== type.versionAccepted)
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
