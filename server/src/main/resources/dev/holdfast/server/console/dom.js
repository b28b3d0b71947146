// SPDX-License-Identifier: Apache-2.0
// Elements are made here and nowhere else, from text only: there is no way from a string to markup, so
// what an author or a proxy wrote can be shown anywhere.

const SVG = "http://www.w3.org/2000/svg";

/**
 * An HTML element. Properties that begin with "on" are handlers, all others attributes; those that are
 * null, undefined or false are left out. Children are nodes, texts, or arrays of them.
 */
export function h(tag, properties, ...children) {
  return fill(document.createElement(tag), properties, children);
}

/** The same for SVG. */
export function svg(tag, properties, ...children) {
  return fill(document.createElementNS(SVG, tag), properties, children);
}

function fill(node, properties, children) {
  for (const [name, value] of Object.entries(properties ?? {})) {
    if (value === null || value === undefined || value === false) {
      continue;
    }
    if (name.startsWith("on")) {
      node[name] = value; // as properties, which update() can hand on to the element that stays
    } else {
      node.setAttribute(name, value === true ? "" : String(value));
    }
  }
  append(node, children);
  return node;
}

function append(node, children) {
  for (const child of children) {
    if (Array.isArray(child)) {
      append(node, child);
    } else if (child !== null && child !== undefined && child !== false) {
      node.append(child instanceof Node ? child : document.createTextNode(String(child)));
    }
  }
}

/** Text for those who cannot see what the rest of the line shows. */
export function unseen(text) {
  return h("span", { class: "unseen" }, text);
}
