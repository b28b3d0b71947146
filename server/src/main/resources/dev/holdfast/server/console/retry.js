// SPDX-License-Identifier: Apache-2.0
import { path } from "./api.js";
import { h } from "./dom.js";
import { name } from "./format.js";
import { previewed } from "./preview.js";

/** Retries a held object: a button for users with a token, a command line for all others. */
export function retry(context, key) {
  const { api, session, announce, refresh, render } = context;
  const preview = previewed(context, "retry");
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
      preview.close();
      say(`${name(tried)}: generation ${tried.generation} is being tried again.`);
    } catch (error) {
      isUnderWay = false;
      say(`The retry failed: ${error.message}.`);
    }
    refresh();
  };
  return {
    render({ generation, servedGeneration }) {
      if (!session.mayAct) {
        return h(
          "p",
          { class: "advice", "data-key": "retry" },
          "Fix the object to clear this. To retry it unchanged: ",
          h("code", null, `holdfast retry ${key.kind}/${key.name} -n ${key.namespace}`),
        );
      }
      return h(
        "div",
        { class: "advice", "data-key": "retry" },
        preview.render({
          ask: "Retry",
          doIt: `Retry generation ${generation}`,
          isUnderWay,
          run,
          steps: [
            `Generation ${generation} is shown unchanged to one proxy of each class first, or to its scout.`,
            "If a proxy rejects it again, it stays held, and " +
              (servedGeneration === 0
                ? "nothing of it is served, as now."
                : `generation ${servedGeneration} stays in force, as now.`),
            "If it was held because proxies died or hung, it may cost one proxy of a class without a scout again.",
            "If all accept it, every proxy gets it. “Changes that are not live” below shows what is then different.",
          ],
        }),
        h(
          "span",
          { class: "told" },
          told === "" ? "Fix the object to clear this. This button retries it unchanged." : told,
        ),
      );
    },
  };
}
