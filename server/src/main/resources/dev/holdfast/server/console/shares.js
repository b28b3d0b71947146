// SPDX-License-Identifier: Apache-2.0
import { h, svg } from "./dom.js";
import { list, number } from "./format.js";

/** One bar that shows how a whole is divided: parts of {title, tone, count}. */
export function shares(parts) {
  const total = parts.reduce((sum, { count }) => sum + count, 0);
  if (total === 0) {
    return null;
  }
  const there = parts.filter(({ count }) => count > 0);
  const words = list(there.map(({ title, count }) => `${number(count)} ${title.toLowerCase()}`));
  let from = 0;
  const bars = there.map(({ tone, count }) => {
    const width = (100 * count) / total;
    const bar = svg("rect", { class: `fill ${tone}`, x: `${from}%`, width: `${width}%`, height: "100%" });
    from += width;
    return bar;
  });
  return h(
    "div",
    { class: "shares", "data-key": "shares" },
    svg("svg", { role: "img", "aria-label": words, width: "100%", height: 10 }, bars),
  );
}

/** How many of the proxies run something: a small bar and the numbers. */
export function progress({ total, programmed, pending, rejected }) {
  if (total === 0) {
    return h("span", { class: "progress none" }, "none");
  }
  return h(
    "span",
    { class: "progress", title: `${programmed} programmed, ${pending} pending, ${rejected} rejected` },
    shares([
      { title: "programmed", tone: "ok", count: programmed },
      { title: "pending", tone: "wait", count: pending },
      { title: "rejected", tone: "held", count: rejected },
      { title: "not shown", tone: "idle", count: Math.max(0, total - programmed - pending - rejected) },
    ]),
    `${number(programmed)}/${number(total)}`,
  );
}
