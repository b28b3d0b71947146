// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.kubernetes.leader;

import dev.holdfast.base.Env;
import dev.holdfast.base.Loop;
import dev.holdfast.base.TimeSource;
import dev.holdfast.config.Election;
import dev.holdfast.config.Mapping;
import dev.holdfast.config.Position;
import dev.holdfast.config.ValueText;
import dev.holdfast.kubernetes.api.ApiRequest;
import dev.holdfast.kubernetes.api.ApiResponse;
import dev.holdfast.kubernetes.api.ApiServer;
import dev.holdfast.kubernetes.api.Json;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Tries to be the one that leads, by a Lease that every replica tries to hold.
 *
 * <pre>
 * state    | what happens                                          | next
 * ---------|-------------------------------------------------------|---------
 * STANDBY  | the Lease is free, or was not renewed for its time    | LEADING (by compare-and-swap)
 * STANDBY  | another replica renews it; no answer                  | STANDBY
 * LEADING  | renewed; no answer                                    | LEADING
 * LEADING  | another replica holds it                              | ENDED
 * (any)    | closed                                                | ENDED (and lets the Lease go)
 * </pre>
 *
 * <p>Whether a Lease has expired is judged by how long it has not changed on our own clock, so
 * clocks need not agree. A leader that cannot reach the API server goes on serving, because proxies
 * that start need somebody, and nobody else can become the leader without the API server; but it
 * may not write until it has renewed ({@link #mayWrite}), and what it stores is refused by the
 * store once another replica has taken over. A leader that finds another one in its place ends for
 * good.
 */
public final class LeaderElection implements Election {
  private static final DateTimeFormatter MICROSECONDS =
      DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss.SSSSSS'Z'").withZone(ZoneOffset.UTC);

  /** How long a leader may be silent before another one takes its place. */
  static final Duration LEASE = Duration.ofSeconds(6);

  static final Duration RENEW = Duration.ofSeconds(2);
  static final Duration RETRY = Duration.ofSeconds(1);

  private enum State {
    STANDBY,
    LEADING,
    ENDED
  }

  private final ApiServer server;
  private final String path;
  private final String namespace;
  private final String name;
  private final String identity;
  private final Env env;
  private final Loop loop;
  private final Listener listener;
  private final Consumer<String> log;

  private volatile State state = State.STANDBY;
  private volatile long renewedAt;
  private volatile String leader = "";
  private volatile String problem = "";

  // Loop only.
  private String seenVersion = "";
  private long seenAt;
  private long transitions;
  private TimeSource.@Nullable Timer timer;

  /**
   * @param identity of this replica, unique among all
   * @param log is told what an operator should know
   */
  public LeaderElection(
      ApiServer server,
      String namespace,
      String name,
      String identity,
      Env env,
      Loop loop,
      Listener listener,
      Consumer<String> log) {
    this.server = server;
    this.namespace = namespace;
    this.name = name;
    this.path = "/apis/coordination.k8s.io/v1/namespaces/" + namespace + "/leases";
    this.identity = identity;
    this.env = env;
    this.loop = loop;
    this.listener = listener;
    this.log = log;
  }

  @Override
  public void start() {
    loop.execute(this::look);
  }

  /** Lets the Lease go, so that another replica need not wait for it to expire. */
  @Override
  public CompletionStage<?> close() {
    CompletableFuture<Void> done = new CompletableFuture<>();
    loop.execute(
        () -> {
          boolean wasLeading = state == State.LEADING;
          state = State.ENDED;
          cancel();
          if (wasLeading) {
            var unused = release().whenComplete((answer, failure) -> done.complete(null));
          } else {
            done.complete(null);
          }
        });
    return done;
  }

  @Override
  public boolean mayWrite() {
    return state == State.LEADING
        && env.time().nanoTime() - renewedAt < LEASE.minus(RETRY).toNanos();
  }

  @Override
  public String leader() {
    return leader;
  }

  @Override
  public String problem() {
    return problem;
  }

  // Looking.

  private void look() {
    if (state == State.ENDED) {
      return;
    }
    send(
        ApiRequest.get(path + "/" + name),
        answer -> {
          if (answer.status() == 404) {
            acquire(null);
          } else if (answer.isOk()) {
            seen(answer.body());
          } else {
            failed(answer.reason());
          }
        });
  }

  private void seen(String body) {
    Mapping lease = parse(body);
    if (lease == null) {
      failed("the Lease cannot be read");
      return;
    }
    succeeded();
    Mapping metadata = Json.mapping(lease, "metadata");
    Mapping spec = Json.mapping(lease, "spec");
    String holder = Json.string(spec, "holderIdentity");
    String version = Json.string(metadata, "resourceVersion");
    transitions = Json.number(spec, "leaseTransitions");
    if (!version.equals(seenVersion)) {
      seenVersion = version;
      seenAt = env.time().nanoTime();
    }
    boolean isMine = holder.equals(identity);
    if (state == State.LEADING && !isMine) {
      lost(holder);
      return;
    }
    boolean isExpired = env.time().nanoTime() - seenAt >= LEASE.toNanos();
    if (isMine || holder.isEmpty() || isExpired) {
      acquire(version);
      return;
    }
    if (!holder.equals(leader)) {
      leader = holder;
      listener.onStandby(holder);
    }
    next(RETRY);
  }

  // Taking and keeping.

  /** Writes our name into the Lease; the first time, or instead of the version that was seen. */
  private void acquire(@Nullable String version) {
    long asked = env.time().nanoTime();
    String body = lease(version, identity, state == State.LEADING ? transitions : transitions + 1);
    send(
        version == null ? ApiRequest.post(path, body) : ApiRequest.put(path + "/" + name, body),
        answer -> {
          if (answer.isOk()) {
            acquired(answer.body(), asked);
          } else if (answer.status() == 409) {
            next(Duration.ZERO); // somebody else was faster: look again
          } else {
            failed(answer.reason());
          }
        });
  }

  private void acquired(String body, long asked) {
    succeeded();
    Mapping lease = parse(body);
    if (lease != null) {
      seenVersion = Json.string(Json.mapping(lease, "metadata"), "resourceVersion");
      seenAt = env.time().nanoTime();
      transitions = Json.number(Json.mapping(lease, "spec"), "leaseTransitions");
    }
    renewedAt = asked;
    leader = identity;
    if (state == State.STANDBY) {
      state = State.LEADING;
      listener.onLeading();
    }
    next(RENEW);
  }

  private void lost(String holder) {
    state = State.ENDED;
    leader = holder;
    cancel();
    listener.onLost(holder);
  }

  private CompletionStage<ApiResponse> release() {
    return server.send(ApiRequest.put(path + "/" + name, lease(seenVersion, "", transitions)));
  }

  private String lease(@Nullable String version, String holder, long newTransitions) {
    Instant now = env.time().now();
    Map<String, Object> metadata = new LinkedHashMap<>();
    metadata.put("name", name);
    metadata.put("namespace", namespace);
    if (version != null) {
      metadata.put("resourceVersion", version);
    }
    Map<String, Object> spec = new LinkedHashMap<>();
    spec.put("holderIdentity", holder);
    spec.put("leaseDurationSeconds", holder.isEmpty() ? 1 : (int) LEASE.toSeconds());
    spec.put("acquireTime", MICROSECONDS.format(now));
    spec.put("renewTime", MICROSECONDS.format(now));
    spec.put("leaseTransitions", newTransitions);
    Map<String, Object> lease = new LinkedHashMap<>();
    lease.put("apiVersion", "coordination.k8s.io/v1");
    lease.put("kind", "Lease");
    lease.put("metadata", metadata);
    lease.put("spec", spec);
    return ValueText.of(Json.value(lease));
  }

  // Requests.

  private void send(ApiRequest request, Consumer<ApiResponse> onAnswer) {
    var unused =
        server
            .send(request)
            .whenComplete(
                (answer, failure) ->
                    loop.execute(
                        () -> {
                          if (state == State.ENDED) {
                            return;
                          }
                          if (answer == null || failure != null) {
                            failed(
                                failure == null
                                    ? "no answer"
                                    : String.valueOf(failure.getMessage()));
                          } else {
                            onAnswer.accept(answer);
                          }
                        }));
  }

  private void failed(String reason) {
    if (problem.isEmpty()) {
      problem = "Lease " + namespace + "/" + name + ": " + reason;
      log.accept(problem + "; retrying");
    }
    next(RETRY);
  }

  private void succeeded() {
    if (!problem.isEmpty()) {
      problem = "";
      seenVersion = ""; // nobody could renew it: the leader has its whole time again
      log.accept("Lease " + namespace + "/" + name + ": the API server answers again");
    }
  }

  private void next(Duration delay) {
    cancel();
    timer = env.time().schedule(delay, () -> loop.execute(this::look));
  }

  private void cancel() {
    if (timer != null) {
      timer.cancel();
      timer = null;
    }
  }

  private static @Nullable Mapping parse(String body) {
    try {
      return Json.parse(body, Position.of("lease")) instanceof Mapping mapping ? mapping : null;
    } catch (IllegalArgumentException e) {
      return null;
    }
  }
}
