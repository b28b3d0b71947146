// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.cli.xds;

import java.util.Optional;

/** What a user may ask of a running {@code xds watch}, one command per line. */
sealed interface SessionCommand {
  String EXPECTED = "expected: watch TYPE NAME, cancel TYPE NAME, dump or quit";

  /** Has {@code handler} do it. */
  void applyTo(Handler handler);

  /** Does what commands ask for. */
  interface Handler {
    void watch(ResourceKey key);

    void cancel(ResourceKey key);

    void dump();

    void quit();
  }

  /** Another watcher of a resource. */
  record Watch(ResourceKey key) implements SessionCommand {
    @Override
    public void applyTo(Handler handler) {
      handler.watch(key);
    }
  }

  /** The newest watcher of a resource is to go. */
  record Cancel(ResourceKey key) implements SessionCommand {
    @Override
    public void applyTo(Handler handler) {
      handler.cancel(key);
    }
  }

  /** Everything that is known now. */
  record Dump() implements SessionCommand {
    @Override
    public void applyTo(Handler handler) {
      handler.dump();
    }
  }

  /** The end. */
  record Quit() implements SessionCommand {
    @Override
    public void applyTo(Handler handler) {
      handler.quit();
    }
  }

  /**
   * Reads one line; empty if there is no command in it.
   *
   * @throws IllegalArgumentException with a message for the user
   */
  static Optional<SessionCommand> parse(String line) {
    String[] words = line.strip().split("\\s+", 3);
    return switch (words[0]) {
      case "" -> Optional.empty();
      case "watch" -> Optional.of(new Watch(key(words)));
      case "cancel" -> Optional.of(new Cancel(key(words)));
      case "dump" -> Optional.of(alone(words, new Dump()));
      case "quit" -> Optional.of(alone(words, new Quit()));
      default ->
          throw new IllegalArgumentException("command '" + words[0] + "' (" + EXPECTED + ")");
    };
  }

  private static ResourceKey key(String[] words) {
    if (words.length < 3) {
      throw new IllegalArgumentException(
          String.join(" ", words) + " (expected: " + words[0] + " TYPE NAME)");
    }
    return ResourceKey.of(words[1], words[2]);
  }

  private static SessionCommand alone(String[] words, SessionCommand command) {
    if (words.length > 1) {
      throw new IllegalArgumentException(
          String.join(" ", words) + " (expected: " + words[0] + ", and nothing else)");
    }
    return command;
  }
}
