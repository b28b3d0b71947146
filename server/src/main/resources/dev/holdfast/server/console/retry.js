// SPDX-License-Identifier: Apache-2.0
import { path } from "./api.js";
import { h } from "./dom.js";
import { name } from "./format.js";

/** Retries a held object: a button for users with a token, a command line for all others. */
export function retry({ api, session, announce, refresh, render }, key) {
  let told = "";
  let isUnderWay = false;
  const say = (text) => {
    told = text;
    announce(text);
    render();
  };
  const run = async () => {
    isUnderWay = true;
    render();
    try {
      const tried = await api.post(`objects/${path(key.kind, key.namespace, key.name)}/retry`);
      isUnderWay = false;
      say(`${name(tried)}: generation ${tried.generation} is being tried again.`);
    } catch (error) {
      isUnderWay = false;
      say(`The retry failed: ${error.message}.`);
    }
    refresh();
  };
  return {
    render() {
      if (!session.mayAct) {
        return h(
          "p",
          { class: "advice", "data-key": "retry" },
          "Fix the object to clear this. To retry it unchanged: ",
          h("code", null, `holdfast retry ${key.kind}/${key.name} -n ${key.namespace}`),
        );
      }
      return h(
        "p",
        { class: "advice", "data-key": "retry" },
        h("button", { type: "button", class: "main", id: "retry", disabled: isUnderWay, onclick: run }, "Retry"),
        h(
          "span",
          { class: "told" },
          told === "" ? "Fix the object to clear this. This button retries it unchanged." : told,
        ),
      );
    },
  };
}
