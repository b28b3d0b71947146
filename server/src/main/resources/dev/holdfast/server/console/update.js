// SPDX-License-Identifier: Apache-2.0

const HANDLERS = ["onclick", "oninput", "onchange", "onsubmit", "onkeydown", "ontoggle"];

/**
 * Makes an element's children be like new ones, and keeps those that are there already: focus, selection
 * and scroll positions survive, and nothing flickers. Elements with the same "data-key" are the same.
 */
export function update(target, children) {
  const byKey = new Map();
  for (const child of target.childNodes) {
    const key = keyOf(child);
    if (key !== null) {
      byKey.set(key, child);
    }
  }
  let at = target.firstChild;
  for (const next of children) {
    const key = keyOf(next);
    const old = key !== null ? byKey.get(key) : at && keyOf(at) === null ? at : null;
    if (!old || !isAlike(old, next)) {
      target.insertBefore(next, at);
      continue;
    }
    if (old === at) {
      at = at.nextSibling;
    } else {
      target.insertBefore(old, at);
    }
    byKey.delete(key);
    become(old, next);
  }
  while (at) {
    const gone = at;
    at = at.nextSibling;
    gone.remove();
  }
}

function keyOf(node) {
  return node.nodeType === Node.ELEMENT_NODE ? node.getAttribute("data-key") : null;
}

function isAlike(old, next) {
  return old.nodeType === next.nodeType && old.nodeName === next.nodeName;
}

function become(old, next) {
  if (old.nodeType !== Node.ELEMENT_NODE) {
    if (old.data !== next.data) {
      old.data = next.data;
    }
    return;
  }
  for (const { name } of [...old.attributes]) {
    if (!next.hasAttribute(name)) {
      old.removeAttribute(name);
    }
  }
  for (const { name, value } of next.attributes) {
    if (old.getAttribute(name) !== value) {
      old.setAttribute(name, value);
    }
  }
  for (const name of HANDLERS) {
    if (old[name] !== next[name]) {
      old[name] = next[name];
    }
  }
  update(old, [...next.childNodes]);
  keepValue(old, next);
}

/** What somebody is typing is left alone. */
function keepValue(old, next) {
  if ((old.nodeName === "INPUT" || old.nodeName === "SELECT") && old !== document.activeElement) {
    if (old.value !== next.value) {
      old.value = next.value;
    }
  }
}
