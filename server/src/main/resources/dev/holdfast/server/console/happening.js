// SPDX-License-Identifier: Apache-2.0
import { name } from "./format.js";

const KINDS = new Map(
  Object.entries({
    "server-started": ["idle", "Server started"],
    "server-stopped": ["idle", "Server stopped"],
    "object-added": ["idle", "Added"],
    "object-changed": ["idle", "Changed"],
    "object-removed": ["idle", "Removed"],
    programmed: ["ok", "Programmed"],
    rejected: ["held", "Rejected"],
    invalid: ["bad", "Invalid"],
    "valid-again": ["ok", "Valid again"],
    recovered: ["ok", "Recovered"],
    "deletion-held": ["held", "Deletion held"],
    "deletion-confirmed": ["idle", "Deletion confirmed"],
    "deletion-undone": ["ok", "Deletion undone"],
    retried: ["wait", "Retried"],
    incident: ["held", "Incident resolved"],
    "proxy-connected": ["ok", "Proxy connected"],
    "proxy-disconnected": ["idle", "Proxy disconnected"],
    "proxy-diverged": ["bad", "Proxy diverged"],
    "class-separated": ["held", "Class separated"],
    "class-rejoined": ["ok", "Class rejoined"],
  }),
);

/** {tone, title} of something that happened; kinds that come later are told by their own name. */
export function kindOf(happening) {
  const kind = happening.kind.toLowerCase().replaceAll("_", "-");
  const [tone, title] = KINDS.get(kind) ?? ["idle", kind.replaceAll("-", " ")];
  return { tone, title };
}

/** In one sentence, for those who listen. */
export function sentence(happening) {
  const about = happening.object ? name(happening.object) : happening.proxy;
  const { title } = kindOf(happening);
  return about === "" ? title : `${title}: ${about}`;
}
