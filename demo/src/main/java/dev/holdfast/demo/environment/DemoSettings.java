// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.demo.environment;

import dev.holdfast.base.TimeSource;
import java.util.List;

/**
 * What the demo cannot know by itself.
 *
 * @param serve the command that runs {@code holdfast serve}, without its arguments
 * @param bootstrap writes what Envoys start with
 */
public record DemoSettings(
    List<String> serve, EnvoyBootstrap bootstrap, EnvoyMode envoy, TimeSource time) {
  public DemoSettings {
    serve = List.copyOf(serve);
  }

  /** Writes what an Envoy starts with. */
  @FunctionalInterface
  public interface EnvoyBootstrap {
    String yaml(String node, int xdsPort);
  }
}
