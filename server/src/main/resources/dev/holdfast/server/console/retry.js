// SPDX-License-Identifier: Apache-2.0
import { path } from "./api.js";
import { h } from "./dom.js";
import { name } from "./format.js";

/** Has proxies judge a held object once more: a button for who showed a token, advice for all others. */
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
      say(`${name(tried)}: generation ${tried.generation} is tried again.`);
    } catch (error) {
      isUnderWay = false;
      say(`It is not tried again: ${error.message}.`);
    }
    refresh();
  };
  return {
    render() {
      if (!session.mayAct) {
        return h(
          "p",
          { class: "advice", "data-key": "retry" },
          "An edit heals it. To have it tried again as it is: ",
          h("code", null, `holdfast retry ${key.kind}/${key.name} -n ${key.namespace}`),
        );
      }
      return h(
        "p",
        { class: "advice", "data-key": "retry" },
        h("button", { type: "button", class: "main", id: "retry", disabled: isUnderWay, onclick: run }, "Try again"),
        h(
          "span",
          { class: "told" },
          told === "" ? "An edit heals it. This has proxies judge it once more as it is." : told,
        ),
      );
    },
  };
}
