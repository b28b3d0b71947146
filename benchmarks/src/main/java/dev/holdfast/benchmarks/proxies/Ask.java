// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.benchmarks.proxies;

import java.util.List;

/**
 * What a proxy asks for.
 *
 * @param names none for everything of the type
 */
public record Ask(String typeUrl, List<String> names) {
  public Ask {
    names = List.copyOf(names);
  }
}
