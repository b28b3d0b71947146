// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.cli;

import java.util.logging.Level;
import java.util.logging.Logger;

/**
 * What libraries have to say goes to standard error, if it goes anywhere. gRPC logs through the
 * JDK, others through SLF4J, which reads its level from a property when it is first used.
 */
final class LogSetup {
  // See logback.xml.
  private static final String LEVEL = "holdfast.log.level";
  private static final String TIME = "holdfast.log.time";

  /** Held on to: the JDK forgets the level of a logger that nobody refers to. */
  private static final Logger GRPC = Logger.getLogger("io.grpc");

  private LogSetup() {}

  static void configure(boolean verbose) {
    System.setProperty(LEVEL, verbose ? "INFO" : "WARN");
    GRPC.setLevel(verbose ? Level.INFO : Level.OFF);
  }

  /** A server's log is read days later, and among those of others. */
  static void configureServer(boolean verbose) {
    System.setProperty(LEVEL, verbose ? "DEBUG" : "INFO");
    System.setProperty(TIME, "yyyy-MM-dd'T'HH:mm:ss.SSSXXX");
    GRPC.setLevel(verbose ? Level.INFO : Level.OFF);
  }
}
