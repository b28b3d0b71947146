// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.grpc.transport;

import java.io.IOException;
import java.io.InputStream;
import java.util.Properties;

/** What this client calls itself before a server. */
public final class UserAgent {
  /** Its name. */
  public static final String NAME = "holdfast-java";

  /** Its version, as the build has it. */
  public static final String VERSION = readVersion();

  private UserAgent() {}

  private static String readVersion() {
    Properties properties = new Properties();
    try (InputStream in = UserAgent.class.getResourceAsStream("version.properties")) {
      if (in != null) {
        properties.load(in);
      }
    } catch (IOException e) {
      // A client that does not know its version is still a client.
    }
    return properties.getProperty("version", "unknown");
  }
}
