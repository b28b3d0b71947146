// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.cli;

import dev.holdfast.cli.log.LogSetup;
import dev.holdfast.server.options.LogOptions;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The options that every command has. */
@Command(versionProvider = Version.class)
public final class CommonOptions {
  @Option(
      names = {"-h", "--help"},
      usageHelp = true,
      description = "Show this help.")
  boolean help;

  @Option(
      names = {"-V", "--version"},
      versionHelp = true,
      description = "Show the version.")
  boolean version;

  @Option(names = "--verbose", description = "Print more detail to standard error.")
  boolean verbose;

  public boolean verbose() {
    return verbose;
  }

  /** To be called first by every command. */
  public void apply() {
    LogSetup.configure(verbose);
  }

  /** To be called first, instead, by a command that says itself what it logs. */
  public void applyQuietly() {
    LogSetup.configureQuiet(verbose);
  }

  /** To be called first, instead, by a command that runs until it is stopped. */
  public void applyForServer(LogOptions log) {
    LogSetup.configureServer(verbose, log);
  }
}
