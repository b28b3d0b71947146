// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.server.admin;

import dev.holdfast.server.options.ListenAddress;
import dev.holdfast.server.trace.TraceReport;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What a server tells of itself.
 *
 * @param version of the program
 * @param directory where the objects are; null if they come from elsewhere
 * @param state where the state is kept, for people
 * @param xds where proxies connect; null as long as they cannot
 * @param source where the objects come from, and how current they are now
 * @param security how the port of proxies is secured
 * @param traces what became of the traces of changes; null if nobody wants them
 */
public record ServerInfo(
    String version,
    @Nullable Path directory,
    String state,
    Supplier<? extends @Nullable ListenAddress> xds,
    Supplier<SourceReport> source,
    Supplier<SecurityReport> security,
    Supplier<? extends @Nullable TraceReport> traces) {

  /** Of one without TLS. */
  public ServerInfo(
      String version,
      @Nullable Path directory,
      String state,
      Supplier<? extends @Nullable ListenAddress> xds,
      Supplier<SourceReport> source) {
    this(version, directory, state, xds, source, () -> SecurityReport.NONE, () -> null);
  }

  /** Of one that has nothing but a version. */
  public static ServerInfo of(String version) {
    return new ServerInfo(version, null, "", () -> null, () -> SourceReport.NONE);
  }

  /**
   * What tells a directory from one that has the same path on another machine: the same text is
   * found by whoever sees the same directory. Empty where the file system has no such thing.
   */
  public static String identity(Path directory) {
    try {
      Object key = Files.readAttributes(directory, BasicFileAttributes.class).fileKey();
      return key == null ? "" : key.toString();
    } catch (IOException e) {
      return "";
    }
  }
}
