// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.interop.serve;

import static java.util.Objects.requireNonNull;
import static org.awaitility.pollinterval.IterativePollInterval.iterative;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import dev.holdfast.controlplane.authors.AuthorPolicy;
import dev.holdfast.controlplane.rollout.trial.DisagreementPolicy;
import dev.holdfast.interop.envoy.EnvoyBootstrap;
import dev.holdfast.server.ControlPlaneFactory;
import dev.holdfast.server.Daemon;
import dev.holdfast.server.options.ListenAddress;
import dev.holdfast.server.options.ScoutOptions;
import dev.holdfast.server.options.ServeOptions;
import dev.holdfast.server.options.StartException;
import dev.holdfast.server.options.TrafficOptions;
import dev.holdfast.server.options.XdsSecurity;
import dev.holdfast.testkit.ReservedPorts;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionTimeoutException;
import org.awaitility.core.ThrowingRunnable;
import org.jspecify.annotations.Nullable;

/** A control plane in this process, on ports of its own, with a directory to write objects into. */
public final class Plane implements AutoCloseable {
  /** What a proxy's machine cannot run is tried again once a minute. */
  private static final Duration PATIENCE = Duration.ofSeconds(75);

  private static final Duration LONGEST_INTERVAL = Duration.ofMillis(50);

  private final Path root;
  private final Path objects;
  private final HttpClient http = HttpClient.newHttpClient();
  private @Nullable Daemon daemon;
  private final ServeOptions.Listeners listeners;
  private final DisagreementPolicy disagreement;
  private XdsSecurity security;
  private String xdsHost = "127.0.0.1";
  private AuthorPolicy authors = AuthorPolicy.NONE;
  private ScoutOptions scouts = ScoutOptions.none();
  private int xdsPort = ReservedPorts.next(); // to come back to

  private Plane(
      Path root,
      ServeOptions.Listeners listeners,
      DisagreementPolicy disagreement,
      XdsSecurity security) {
    this.root = root;
    this.objects = root.resolve("objects");
    this.listeners = listeners;
    this.disagreement = disagreement;
    this.security = security;
  }

  /** Starts one that serves these files, given as names and texts in turn. */
  public static Plane start(String... files) {
    // Two listeners on port 0 of one address are one to Envoy, which shares their socket.
    return startOn(new ListenAddress("127.0.0.1", 0), new ListenAddress("0.0.0.0", 0), files);
  }

  /** The same with addresses that proxies are to listen on. */
  public static Plane startOn(ListenAddress http, ListenAddress https, String... files) {
    return start(http, https, DisagreementPolicy.UNIFORM, files);
  }

  /** One that treats requests in another way. */
  public static Plane start(TrafficOptions traffic, String... files) {
    return start(
        new ServeOptions.Listeners(
            new ListenAddress("127.0.0.1", 0),
            new ListenAddress("0.0.0.0", 0),
            ServeOptions.DEFAULT_INGRESS_CLASS,
            traffic),
        DisagreementPolicy.UNIFORM,
        files);
  }

  /** One for proxies that disagree. */
  public static Plane start(DisagreementPolicy disagreement, String... files) {
    return start(
        new ListenAddress("127.0.0.1", 0), new ListenAddress("0.0.0.0", 0), disagreement, files);
  }

  private static Plane start(
      ListenAddress http, ListenAddress https, DisagreementPolicy disagreement, String... files) {
    return start(
        new ServeOptions.Listeners(http, https, ServeOptions.DEFAULT_INGRESS_CLASS),
        disagreement,
        files);
  }

  /** One whose proxies connect in another way than without TLS. */
  public static Plane start(XdsSecurity security, String... files) {
    return start(
        new ServeOptions.Listeners(
            new ListenAddress("127.0.0.1", 0),
            new ListenAddress("0.0.0.0", 0),
            ServeOptions.DEFAULT_INGRESS_CLASS),
        DisagreementPolicy.UNIFORM,
        security,
        files);
  }

  private static Plane start(
      ServeOptions.Listeners listeners, DisagreementPolicy disagreement, String... files) {
    return start(listeners, disagreement, XdsSecurity.none(), files);
  }

  private static Plane start(
      ServeOptions.Listeners listeners,
      DisagreementPolicy disagreement,
      XdsSecurity security,
      String... files) {
    try {
      Plane plane =
          new Plane(Files.createTempDirectory("holdfast-plane"), listeners, disagreement, security);
      Files.createDirectories(plane.objects);
      for (int i = 0; i < files.length; i += 2) {
        plane.write(files[i], files[i + 1]);
      }
      plane.up();
      return plane;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Starts it, always on the same port. */
  public void up() {
    ListenAddress any = new ListenAddress("127.0.0.1", 0);
    ServeOptions options =
        new ServeOptions(
                objects,
                root.resolve("state.db"),
                new ListenAddress(xdsHost, xdsPort),
                new ServeOptions.Admin(any, ""),
                listeners,
                disagreement)
            .with(security)
            .with(authors)
            .with(scouts);
    try {
      daemon = Daemon.start(options, ControlPlaneFactory.embedded(), "test", new CountDownLatch(1));
      xdsPort = daemon.xds().address().port();
    } catch (StartException | InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  /** From the next start on, the server has a scout of its own, for proxies like that one. */
  public Plane withScout(Path envoy, EnvoyBootstrap proxy) {
    try {
      Path file = Files.writeString(root.resolve("envoy.yaml"), proxy.yaml());
      scouts = new ScoutOptions(true, List.of(envoy), file, null);
      return this;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The same for proxies with the bootstrap that Holdfast prints. */
  public Plane withScout(Path envoy) {
    scouts = new ScoutOptions(true, List.of(envoy), null, null);
    return this;
  }

  /** From the next start on, authors have these rules. */
  public Plane withRules(AuthorPolicy rules) {
    authors = rules;
    return this;
  }

  /** From the next start on, proxies of all machines can connect, in this way. */
  public Plane onAllAddresses(XdsSecurity how) {
    xdsHost = "0.0.0.0";
    security = how;
    return this;
  }

  /** Loses what it knew; only while it is down. */
  public void forget() {
    if (daemon != null) {
      throw new IllegalStateException("the control plane is up");
    }
    try (Stream<Path> files = Files.list(root)) {
      for (Path file : files.filter(path -> path.toString().contains("state.db")).toList()) {
        Files.delete(file);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Stops it; what it served stays where it is. */
  public void down() {
    if (daemon != null) {
      daemon.close();
      daemon = null;
    }
  }

  public int xdsPort() {
    return xdsPort;
  }

  public int adminPort() {
    if (daemon == null) {
      throw new IllegalStateException("the control plane is down");
    }
    return daemon.admin().address().port();
  }

  /** Writes a file at once: under another name first, and then renamed. */
  public Plane write(String name, String text) {
    return write(name, text.getBytes(StandardCharsets.UTF_8));
  }

  /** The same with bytes that need not be any text. */
  public Plane write(String name, byte[] content) {
    try {
      Path next = Files.createTempFile(root, "next", ".yaml");
      Files.write(next, content);
      Files.createDirectories(objects.resolve(name).getParent());
      Files.move(
          next,
          objects.resolve(name),
          StandardCopyOption.ATOMIC_MOVE,
          StandardCopyOption.REPLACE_EXISTING);
      return this;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  public Plane delete(String name) {
    try {
      Files.delete(objects.resolve(name));
      return this;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The bytes of all files that the state is in. */
  public String state() {
    StringBuilder state = new StringBuilder();
    try (Stream<Path> files = Files.list(root)) {
      for (Path file : files.filter(path -> path.toString().contains("state.db")).toList()) {
        state.append(Files.readString(file, StandardCharsets.ISO_8859_1));
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return state.toString();
  }

  /** What the admin port answers. */
  public JsonElement get(String path) {
    return JsonParser.parseString(text(path));
  }

  /** The same as a text. */
  public String text(String path) {
    return send(HttpRequest.newBuilder(admin(path))).body();
  }

  /** Has the admin port do something; the result is the status. */
  public int post(String path) {
    return send(HttpRequest.newBuilder(admin(path))
            .header("Content-Type", "application/json")
            .POST(HttpRequest.BodyPublishers.noBody()))
        .statusCode();
  }

  /** For tests that delete so many hosts that somebody has to say that it is meant. */
  public void confirmDeletions() {
    if (!items("/api/v1/deletions").isEmpty()) {
      post("/api/v1/deletions/confirm");
    }
  }

  private URI admin(String path) {
    return URI.create("http://127.0.0.1:" + adminPort() + path);
  }

  private HttpResponse<String> send(HttpRequest.Builder request) {
    try {
      return http.send(request.build(), HttpResponse.BodyHandlers.ofString());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError(e);
    }
  }

  /** The sum of a metric over all of its labels. */
  public long metric(String name) {
    long sum = 0;
    for (String line : text("/metrics").lines().toList()) {
      if (line.startsWith(name + "{") || line.startsWith(name + " ")) {
        sum += (long) Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1));
      }
    }
    return sum;
  }

  /** What the admin port lists. */
  public List<JsonObject> items(String path) {
    return get(path).getAsJsonObject().getAsJsonArray("items").asList().stream()
        .map(JsonElement::getAsJsonObject)
        .toList();
  }

  /** An object as it is reported. */
  public JsonObject object(String key) {
    return get("/api/v1/objects/" + key).getAsJsonObject();
  }

  /** What is said of an object on one question, such as {@code True/Programmed}, and why. */
  public Said said(String key, String type) {
    JsonObject object = object(key);
    if (!object.has("conditions")) {
      return new Said("", "", "", 0);
    }
    for (JsonElement element : object.getAsJsonArray("conditions")) {
      JsonObject condition = element.getAsJsonObject();
      if (condition.get("type").getAsString().equals(type)) {
        return new Said(
            condition.get("status").getAsString(),
            condition.get("reason").getAsString(),
            condition.get("message").getAsString(),
            condition.get("observedGeneration").getAsLong());
      }
    }
    return new Said("", "", "", 0);
  }

  /** One condition. */
  public record Said(String status, String reason, String message, long generation) {}

  /** Waits until an object's newest generation runs everywhere. */
  public void awaitProgrammed(String key, long generation) {
    await(
        key,
        "Programmed",
        "True at generation " + generation,
        said -> said.status().equals("True") && said.generation() == generation);
  }

  /** Waits until something is said of an object. */
  public Said awaitSaid(String key, String type, String reason) {
    return await(key, type, reason, said -> said.reason().equals(reason));
  }

  /**
   * Waits until the words about an object are these. Traffic can show a change before its status
   * does: what is said is stored first.
   */
  public Said awaitMessage(String key, String type, String part) {
    return await(key, type, part, said -> said.message().contains(part));
  }

  private Said await(String key, String type, String what, Predicate<Said> wanted) {
    AtomicReference<Said> last = new AtomicReference<>();
    try {
      await(
          key + " " + type,
          () -> {
            last.set(said(key, type));
            return wanted.test(last.get());
          });
      return requireNonNull(last.get());
    } catch (ConditionTimeoutException e) {
      throw new AssertionError(
          "%s %s: %s (expected: %s)".formatted(key, type, last.get(), what), e);
    }
  }

  /** Waits for anything. What other tests throw, which run at the same time, is not looked at. */
  public static void await(String what, Callable<Boolean> condition) {
    Awaitility.await(what)
        .dontCatchUncaughtExceptions()
        .atMost(PATIENCE)
        .pollInterval(iterative(Plane::longer, Duration.ofMillis(5)))
        .until(condition);
  }

  /** Waits until nothing is to be complained of any more. */
  public static void awaitAsserted(ThrowingRunnable assertion) {
    Awaitility.await()
        .dontCatchUncaughtExceptions()
        .atMost(PATIENCE)
        .pollInterval(iterative(Plane::longer, Duration.ofMillis(5)))
        .untilAsserted(assertion);
  }

  /** To ask is work for the one who is waited for, and what takes long may take a little longer. */
  private static Duration longer(Duration interval) {
    return interval.compareTo(LONGEST_INTERVAL) < 0
        ? interval.multipliedBy(5).dividedBy(4)
        : interval;
  }

  @Override
  public void close() {
    down();
    try (Stream<Path> files = Files.walk(root)) {
      List<Path> all = files.sorted(Comparator.reverseOrder()).toList();
      for (Path file : all) {
        Files.deleteIfExists(file);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
