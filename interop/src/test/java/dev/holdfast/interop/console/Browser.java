// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.interop.console;

import static java.util.Objects.requireNonNull;

import com.google.gson.JsonObject;
import dev.holdfast.interop.Leash;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;

/** A Chromium without a window; one for all tests of this JVM, and gone with it. */
final class Browser {
  private static final Pattern LISTENING = Pattern.compile("DevTools listening on (ws://\\S+)");

  private static final Duration PATIENCE = Duration.ofSeconds(90);

  private final DevTools tools;

  private Browser(DevTools tools) {
    this.tools = tools;
  }

  /** Skips the test if there is no Chromium to be had. */
  static Browser shared() {
    String binary = ChromiumBinary.find();
    return Shared.start(binary);
  }

  private static Browser start(String binary) {
    try {
      Path directory =
          Path.of("target", "chromium", Long.toString(ProcessHandle.current().pid()))
              .toAbsolutePath();
      Files.createDirectories(directory);
      Path log = directory.resolve("chromium.log");
      List<String> command =
          List.of(
              binary,
              "--headless=new",
              "--remote-debugging-port=0",
              "--user-data-dir=" + directory.resolve("profile"),
              // A container has no user namespaces to make a sandbox of; all pages are our own.
              "--no-sandbox",
              "--disable-dev-shm-usage",
              "--disable-gpu",
              "--disable-software-rasterizer",
              "--disable-background-networking",
              "--disable-component-update",
              "--disable-extensions",
              "--disable-sync",
              "--no-first-run",
              "--lang=en",
              "about:blank");
      Process process =
          new ProcessBuilder(Leash.on(command))
              .redirectErrorStream(true)
              .redirectOutput(Redirect.to(log.toFile()))
              .start();
      Runtime.getRuntime().addShutdownHook(new Thread(process::destroyForcibly));
      return new Browser(DevTools.connect(address(process, log)));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** On a busy machine a browser takes its time to start. */
  private static String address(Process process, Path log) {
    AtomicReference<String> address = new AtomicReference<>();
    Awaitility.await("Chromium listens; see " + log)
        .dontCatchUncaughtExceptions()
        .atMost(PATIENCE)
        .until(
            () -> {
              if (!process.isAlive()) {
                throw new AssertionError("Chromium ended; see " + log);
              }
              Matcher matcher = LISTENING.matcher(Files.readString(log));
              if (matcher.find()) {
                address.set(matcher.group(1));
              }
              return address.get() != null;
            });
    return requireNonNull(address.get());
  }

  /** A page with cookies and storage of its own. */
  Page open() {
    String context =
        tools
            .call("", "Target.createBrowserContext", new JsonObject())
            .get("browserContextId")
            .getAsString();
    JsonObject target = new JsonObject();
    target.addProperty("url", "about:blank");
    target.addProperty("browserContextId", context);
    String id = tools.call("", "Target.createTarget", target).get("targetId").getAsString();
    JsonObject attach = new JsonObject();
    attach.addProperty("targetId", id);
    attach.addProperty("flatten", true);
    String session = tools.call("", "Target.attachToTarget", attach).get("sessionId").getAsString();
    return new Page(tools, session, context);
  }

  private static final class Shared {
    private static @Nullable Browser only;

    static synchronized Browser start(String binary) {
      if (only == null) {
        only = Browser.start(binary);
      }
      return only;
    }
  }
}
