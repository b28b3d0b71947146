// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.cli.log;

import ch.qos.logback.classic.LoggerContext;
import dev.holdfast.server.options.LogOptions;
import java.util.Locale;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.slf4j.LoggerFactory;

/**
 * What there is to say besides a command's own output goes to standard error, if it goes anywhere.
 * gRPC logs through the JDK, others through SLF4J, which reads its settings from properties when it
 * is first used: see logback.xml.
 */
public final class LogSetup {
  private static final String LEVEL = "holdfast.log.level";
  private static final String TIME = "holdfast.log.time";
  private static final String FORMAT = "holdfast.log.format";
  private static final String GRPC_LEVEL = "holdfast.log.grpc";

  /** Held on to: the JDK forgets the level of a logger that nobody refers to. */
  private static final Logger GRPC = Logger.getLogger("io.grpc");

  private LogSetup() {}

  public static void configure(boolean verbose) {
    System.setProperty(LEVEL, verbose ? "INFO" : "WARN");
    GRPC.setLevel(verbose ? Level.INFO : Level.OFF);
  }

  /** For a command whose output says all that a control plane inside of it would log. */
  public static void configureQuiet(boolean verbose) {
    System.setProperty(LEVEL, verbose ? "INFO" : "OFF");
    GRPC.setLevel(verbose ? Level.INFO : Level.OFF);
  }

  /**
   * To be called before anything is logged. A server's log is read days later, and among those of
   * others.
   */
  public static void configureServer(boolean verbose, LogOptions options) {
    LogOptions.Levels levels = options.levels();
    LogOptions.Level others = levels == null ? null : levels.others();
    System.setProperty(LEVEL, others != null ? others.name() : verbose ? "DEBUG" : "INFO");
    System.setProperty(TIME, "yyyy-MM-dd'T'HH:mm:ss.SSSXXX");
    LogOptions.Format format = options.format();
    if (format != null) {
      System.setProperty(FORMAT, format.name().toLowerCase(Locale.ROOT));
    }
    GRPC.setLevel(verbose ? Level.INFO : Level.OFF);
    if (verbose) {
      System.setProperty(GRPC_LEVEL, "INFO");
    }
    LibraryLog.install();
    if (levels != null && LoggerFactory.getILoggerFactory() instanceof LoggerContext loggers) {
      levels
          .byArea()
          .forEach((area, level) -> loggers.getLogger(area.logger()).setLevel(of(level)));
    }
  }

  private static ch.qos.logback.classic.Level of(LogOptions.Level level) {
    return ch.qos.logback.classic.Level.toLevel(level.name());
  }
}
