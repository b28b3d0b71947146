// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.config.files;

/** Objects as text. */
final class Yaml {
  private Yaml() {}

  static String service(String name, int port) {
    return "---\napiVersion: v1\nkind: Service\nmetadata:\n  name: "
        + name
        + "\nspec:\n  port: "
        + port
        + "\n";
  }
}
