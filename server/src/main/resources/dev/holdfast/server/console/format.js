// SPDX-License-Identifier: Apache-2.0
import { h } from "./dom.js";

const NUMBER = new Intl.NumberFormat("en");
const RELATIVE = new Intl.RelativeTimeFormat("en", { numeric: "auto" });
const CLOCK = new Intl.DateTimeFormat("en-GB", { hour: "2-digit", minute: "2-digit", second: "2-digit" });
const DAY = new Intl.DateTimeFormat("en-GB", { weekday: "long", day: "numeric", month: "long", year: "numeric" });
const UNITS = [
  ["day", 86_400],
  ["hour", 3600],
  ["minute", 60],
  ["second", 1],
];

/** How far the server's clock is ahead of this machine's, in milliseconds. */
let ahead = 0;

export function serverTime(text) {
  ahead = Date.parse(text) - Date.now();
}

export function number(value) {
  return NUMBER.format(value);
}

/** "1 change", "20 changes". */
export function count(value, one, many = one + "s") {
  return `${number(value)} ${value === 1 ? one : many}`;
}

/** "a, b and c". */
export function list(words) {
  return words.length < 2 ? words.join("") : `${words.slice(0, -1).join(", ")} and ${words.at(-1)}`;
}

export function millis(value) {
  if (value < 10) {
    return value === 0 ? "0 ms" : `${value.toFixed(1)} ms`;
  }
  return value < 1000 ? `${Math.round(value)} ms` : `${(value / 1000).toFixed(value < 10_000 ? 1 : 0)} s`;
}

export function bytes(value) {
  return value < 1024
    ? `${value} B`
    : value < 1024 ** 2
      ? `${(value / 1024).toFixed(1)} KiB`
      : `${(value / 1024 ** 2).toFixed(1)} MiB`;
}

export function clock(text) {
  return CLOCK.format(new Date(text));
}

export function day(text) {
  return DAY.format(new Date(text));
}

/** "3 minutes ago", with the time itself on hover and for programs. */
export function ago(text) {
  const seconds = Math.min(0, Math.round((Date.parse(text) - Date.now() - ahead) / 1000));
  const [unit, size] = UNITS.find(([, length]) => -seconds >= length) ?? ["second", 1];
  const words = seconds > -5 ? "just now" : RELATIVE.format(Math.trunc(seconds / size), unit);
  return h("time", { datetime: text, title: text }, words);
}

/** The time of day. */
export function at(text) {
  return h("time", { datetime: text, title: text }, clock(text));
}

/** "HTTPProxy shop/web". */
export function name(key) {
  return `${key.kind} ${key.namespace}/${key.name}`;
}

/** The names of some; of many only the first. */
export function names(keys, most = 3) {
  const shown = keys.slice(0, most).map((key) => name(key));
  return keys.length > most ? `${shown.join(", ")} and ${keys.length - most} more` : list(shown);
}
