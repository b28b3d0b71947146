// SPDX-License-Identifier: Apache-2.0

/** Where the page is: {parts, query}, from the part of the address that servers never see. */
export function route() {
  const [path, query = ""] = location.hash.replace(/^#\/?/, "").split("?", 2);
  return { parts: path === "" ? [] : path.split("/").map(decode), query: new URLSearchParams(query) };
}

/** Whether the address is one of ours; "#main" is not. */
export function isRoute() {
  return location.hash === "" || location.hash.startsWith("#/");
}

/** The address of a page. Always begins with "#/": whatever the parts hold, it leads nowhere else. */
export function href(parts, query = {}) {
  const set = Object.entries(query).filter(([, value]) => value !== "" && value !== null && value !== undefined);
  const search = new URLSearchParams(set).toString();
  return "#/" + parts.map(encodeURIComponent).join("/") + (search === "" ? "" : "?" + search);
}

/** Says in the address what is chosen on the page, without going anywhere. */
export function replaceQuery(changes) {
  const { parts, query } = route();
  const merged = { ...Object.fromEntries(query), ...changes };
  history.replaceState(null, "", href(parts, merged));
}

export const objectHref = (key) => href(["objects", key.kind, key.namespace, key.name]);
export const proxyHref = (node) => href(["proxies", node]);
export const classHref = (name) => href(["classes", name]);
export const resourceHref = (resource, words) => href(["resources", resource.type, resource.name], { q: words });
export const incidentHref = (id) => href(["incidents", String(id)]);

function decode(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
