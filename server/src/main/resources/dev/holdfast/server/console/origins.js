// SPDX-License-Identifier: Apache-2.0

/** Where the parts of a resource came from, by their path in its JSON. */
export class Origins {
  #byPath = new Map();

  constructor(provenance) {
    for (const place of provenance) {
      const path = jsonPath(place.path);
      this.#byPath.set(path, [...(this.#byPath.get(path) ?? []), place]);
    }
  }

  at(path) {
    return this.#byPath.get(path) ?? [];
  }
}

/** Paths name fields as the .proto files do, JSON as its readers expect: virtual_hosts, virtualHosts. */
export function jsonPath(path) {
  return path.replace(/_([a-z0-9])/g, (_, letter) => letter.toUpperCase());
}
