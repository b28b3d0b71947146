// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.cli.serve;

import java.lang.reflect.Proxy;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Asks to be told of the signals that end a process. Without that the JVM ends by itself, with an
 * exit code that says that it was killed; whoever stops on request has not failed.
 *
 * <p>The JDK's class for it is in every JDK but in no specification, so it is used by reflection: a
 * JVM that lacks it behaves as JVMs do.
 */
public final class Signals {
  private static final int KILLED = 1;

  private Signals() {}

  /** Calls {@code stop} at the first signal, and ends the process at the second. */
  public static void onStop(Runnable stop) {
    AtomicBoolean stopping = new AtomicBoolean();
    Runnable onSignal =
        () -> {
          if (stopping.compareAndSet(false, true)) {
            stop.run();
          } else {
            Runtime.getRuntime().halt(KILLED);
          }
        };
    for (String name : List.of("TERM", "INT")) {
      try {
        handle(name, onSignal);
      } catch (ReflectiveOperationException | IllegalArgumentException e) {
        Runtime.getRuntime().addShutdownHook(new Thread(stop, "holdfast-stop"));
        return;
      }
    }
  }

  private static void handle(String name, Runnable onSignal) throws ReflectiveOperationException {
    Class<?> signal = Class.forName("sun.misc.Signal");
    Class<?> handler = Class.forName("sun.misc.SignalHandler");
    Object proxy =
        Proxy.newProxyInstance(
            handler.getClassLoader() == null
                ? Signals.class.getClassLoader()
                : handler.getClassLoader(),
            new Class<?>[] {handler},
            (self, method, arguments) ->
                switch (method.getName()) {
                  case "handle" -> {
                    onSignal.run();
                    yield null;
                  }
                  case "equals" -> self == arguments[0];
                  case "hashCode" -> System.identityHashCode(self);
                  default -> "holdfast";
                });
    signal
        .getMethod("handle", signal, handler)
        .invoke(null, signal.getConstructor(String.class).newInstance(name), proxy);
  }
}
