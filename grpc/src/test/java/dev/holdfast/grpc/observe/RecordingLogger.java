// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.grpc.observe;

import java.util.ArrayList;
import java.util.List;
import java.util.ResourceBundle;
import org.jspecify.annotations.Nullable;

/** Keeps lines as {@code LEVEL text}. */
final class RecordingLogger implements System.Logger {
  final List<String> lines = new ArrayList<>();

  @Override
  public String getName() {
    return "test";
  }

  @Override
  public boolean isLoggable(Level level) {
    return true;
  }

  @Override
  public void log(
      Level level,
      @Nullable ResourceBundle bundle,
      @Nullable String text,
      @Nullable Throwable thrown) {
    lines.add(level + " " + text + " " + thrown);
  }

  @Override
  public void log(
      Level level,
      @Nullable ResourceBundle bundle,
      @Nullable String format,
      @Nullable Object @Nullable ... params) {
    lines.add(level + " " + format);
  }

  List<String> aboveDebug() {
    return lines.stream().filter(line -> !line.startsWith("DEBUG")).toList();
  }
}
