// SPDX-License-Identifier: Apache-2.0
import { bytes } from "../format.js";
import { listing } from "../listing.js";
import { objectLink, resourceLink, row } from "../parts.js";
import { progress } from "../shares.js";

const FEW_OBJECTS = 2;

/** Everything that is served. */
export function resources({ api, choose }) {
  return {
    title: "Resources",
    async load(signal) {
      const items = await api.list("resources", signal);
      return items.map((resource) => ({
        resource,
        group: resource.type,
        words: `${resource.type} ${resource.name}`,
      }));
    },
    render: (rows) =>
      listing({
        rows,
        plural: "Resources",
        by: {
          name: "type",
          title: "Type",
          groups: [...new Set(rows.map(({ group }) => group))].map((type) => ({ id: type, title: type })),
        },
        none: { all: "No resources are served yet.", left: "No matching resources." },
        key: ({ resource }) => `${resource.type}/${resource.name}`,
        columns: COLUMNS,
        choose,
      }),
  };
}

const COLUMNS = [
  { title: "Resource", class: "wide", cell: ({ resource }) => resourceLink(resource) },
  {
    title: "From",
    cell: ({ resource }) =>
      resource.objects.length === 0 ? "no object" : row(resource.objects, objectLink, FEW_OBJECTS),
  },
  { title: "Size", class: "narrow", cell: ({ resource }) => bytes(resource.bytes) },
  { title: "Proxies", class: "narrow", cell: ({ resource }) => progress(counts(resource)) },
];

/** In the words of objects. */
export function counts({ proxies: { accepted, pending, rejected } }) {
  return { total: accepted + pending + rejected, programmed: accepted, pending, rejected };
}
