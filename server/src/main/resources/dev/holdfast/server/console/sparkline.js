// SPDX-License-Identifier: Apache-2.0
import { svg } from "./dom.js";

const WIDTH = 120;
const HEIGHT = 28;
const POINTS = 60;

/** The course of a number over the last two minutes, the newest at the right end. */
export function sparkline(values) {
  const most = Math.max(1, ...values);
  const step = WIDTH / (POINTS - 1);
  const points = values.map((value, i) => {
    const x = WIDTH - (values.length - 1 - i) * step;
    const y = HEIGHT - 2 - (value / most) * (HEIGHT - 4);
    return `${x.toFixed(1)},${y.toFixed(1)}`;
  });
  return svg(
    "svg",
    {
      class: "sparkline",
      viewBox: `0 0 ${WIDTH} ${HEIGHT}`,
      preserveAspectRatio: "none",
      width: "100%",
      height: HEIGHT,
      "aria-hidden": "true",
    },
    svg("polyline", { points: points.length === 1 ? `${points[0]} ${points[0]}` : points.join(" ") }),
  );
}
