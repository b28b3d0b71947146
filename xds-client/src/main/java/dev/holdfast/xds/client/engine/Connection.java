// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.xds.client.engine;

import dev.holdfast.base.TimeSource;
import dev.holdfast.xds.client.Backoff;
import dev.holdfast.xds.client.ResourceType;
import dev.holdfast.xds.client.ServerConfig;
import dev.holdfast.xds.client.transport.XdsTransport;
import io.grpc.Status;
import java.time.Duration;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The way to one server: its transport, the stream on it if there is one, what is subscribed to
 * there, and whether it works.
 *
 * <p>Without a stream, either a retry is scheduled or the next {@link #flush} starts one. A stream
 * that fails before any response is an error and backed off (gRFC A57). One that ends after a
 * response is none; it is restarted at once, unless it died young: a server that answers and hangs
 * up again and again is backed off too, by a series of its own. Delays count from the end of a
 * stream: whatever it did before, the server is left alone for that long.
 */
final class Connection implements XdsTransport.Listener {
  final ServerConfig server;
  final Rules rules;
  private final EngineContext context;

  private final Map<String, TypeState<?>> types = new LinkedHashMap<>();
  private final Set<Authority> users = new LinkedHashSet<>();

  private final Backoff failures;
  private final Backoff youngDeaths;

  private @Nullable XdsTransport transport;
  private @Nullable StreamSession session;
  private TimeSource.@Nullable Timer retry;

  /** Whether the stream that is being waited for failed without ever reaching the server. */
  private boolean unreached;

  /** Whether this attempt did not wait for its time because there was a connection at last. */
  private boolean hurried;

  private @Nullable Status error;
  private long errorSequence;
  private boolean proven;

  /** As gRFC A78 counts it: presumed from the first attempt on, until shown otherwise. */
  private @Nullable Boolean connected;

  Connection(ServerConfig server, EngineContext context) {
    this.server = server;
    this.context = context;
    rules = Rules.of(context.config.behaviour(), server);
    failures = new Backoff(context.config.behaviour().backoff(), context.env.random());
    youngDeaths = new Backoff(context.config.behaviour().backoff(), context.env.random());
  }

  // Who uses it, and for what.

  void addUser(Authority authority) {
    users.add(authority);
  }

  void removeUser(Authority authority) {
    users.remove(authority);
    types.values().forEach(type -> type.dropAll(authority, timers()));
    context.reviewSoon();
  }

  boolean isUnused() {
    return users.isEmpty();
  }

  boolean isNeededBesides(Authority authority) {
    return users.stream().anyMatch(user -> user != authority && user.hasWatched());
  }

  <T> void subscribe(Entry<T> entry) {
    typeState(entry.type).subscribe(entry);
    context.reviewSoon();
  }

  void unwatched(Entry<?> entry, boolean tellServerSoon) {
    typeState(entry.type).unwatched(entry, tellServerSoon);
  }

  @SuppressWarnings("unchecked") // the engine makes sure that a type URL has one type
  private <T> TypeState<T> typeState(ResourceType<T> type) {
    return (TypeState<T>)
        types.computeIfAbsent(
            type.typeUrl(),
            url ->
                new TypeState<>(
                    type, context.config.behaviour().nackBackoff(), context.env.random()));
  }

  /** What another server sent to {@code authority} meanwhile is to be sent again by this one. */
  void reclaim(Authority authority) {
    types
        .values()
        .forEach(
            type -> type.reclaim(authority, server, context.config.protocol(), context.nanoTime()));
  }

  @Nullable TypeState<?> type(String typeUrl) {
    return types.get(typeUrl);
  }

  Collection<TypeState<?>> types() {
    return types.values();
  }

  private @Nullable ResourceTimers timers() {
    return session == null ? null : session.timers();
  }

  // The stream.

  /** Sends what there is to send; starts a stream if there is none and none is scheduled. */
  void flush() {
    if (session == null && retry == null) {
      start();
    }
    if (session != null) {
      session.flush();
    }
  }

  private void start() {
    unreached = false;
    if (connected == null) {
      setConnected(true);
    }
    try {
      if (transport == null) {
        transport = context.transports.create(server, this);
      }
      session = new StreamSession(this, context, transport);
      context.observer.streamStarted(server);
    } catch (Throwable e) { // also what a class path without some class throws
      if (!(e instanceof RuntimeException)) {
        context.observer.uncaught(e);
      }
      unreached = true;
      fail(Errors.noTransport(server, e));
      retryAfter(failures.next());
    }
  }

  void ended(StreamSession ended, Status status) {
    if (session != ended) {
      return;
    }
    session = null;
    types.values().forEach(TypeState::forgetStream);
    Duration age = age(ended);
    if (ended.sawResponse()) {
      context.observer.streamEnded(server, Status.OK);
      failures.reset();
      boolean young = isYoung(age);
      if (!young) {
        youngDeaths.reset();
      }
      hurried = false;
      retryAfter(young ? youngDeaths.next() : Duration.ZERO);
    } else {
      unreached = !ended.wasDispatched() && !hurried;
      hurried = false;
      if (ended.wasDispatched() && !isYoung(age)) {
        failures.reset(); // it worked, and had nothing to say
      }
      Status failure = Errors.streamFailed(server, status);
      context.observer.streamEnded(server, failure);
      fail(failure);
      retryAfter(failures.next());
    }
  }

  private Duration age(StreamSession stream) {
    return Duration.ofNanos(context.nanoTime() - stream.startedAt());
  }

  private boolean isYoung(Duration age) {
    return age.compareTo(context.config.behaviour().youngStreamAge()) < 0;
  }

  /** The stream sent something that is no response. */
  void garbled(StreamSession garbled, String cause) {
    giveUp(garbled, Errors.undecodable(server, cause));
  }

  /** What carries the stream threw. */
  void broke(StreamSession broken, Throwable cause) {
    giveUp(broken, Errors.transportBroke(server, cause));
  }

  /**
   * Ends a stream as a failure, whatever it did before. What it did well only counts if it did so
   * for long; else garbage could come as often as it likes.
   */
  private void giveUp(StreamSession given, Status failure) {
    given.cancel(String.valueOf(failure.getDescription()));
    session = null;
    types.values().forEach(TypeState::forgetStream);
    context.observer.streamEnded(server, failure);
    fail(failure);
    Duration age = age(given);
    if (given.sawResponse() && !isYoung(age)) {
      failures.reset();
    }
    retryAfter(failures.next());
  }

  private void retryAfter(Duration delay) {
    if (delay.isZero()) {
      context.reviewSoon();
      return;
    }
    retry = context.schedule(delay, this::retryNow);
  }

  private void retryNow() {
    if (retry != null) {
      retry.cancel();
      retry = null;
      context.reviewSoon();
    }
  }

  void resetBackoff() {
    failures.reset();
    youngDeaths.reset();
    if (transport != null) {
      contain(transport::resetBackoff);
    }
    retryNow();
  }

  void close() {
    if (retry != null) {
      retry.cancel();
      retry = null;
    }
    if (session != null) {
      session.cancel("no longer needed");
      session = null;
    }
    if (transport != null) {
      contain(transport::close);
      transport = null;
    }
    if (connected != null) {
      connected = null;
      context.observer.connected(server, null);
    }
  }

  private void contain(Runnable call) {
    try {
      call.run();
    } catch (Throwable e) {
      context.observer.uncaught(e);
    }
  }

  // Health.

  @Nullable Status error() {
    return error;
  }

  long errorSequence() {
    return errorSequence;
  }

  /** Whether the server has been heard since the last failure. */
  boolean isProven() {
    return proven;
  }

  void fail(Status failure) {
    if (error == null || !View.same(error, failure)) {
      errorSequence = context.nextSequence();
    }
    error = failure;
    proven = false;
    if (Boolean.TRUE.equals(connected)) {
      context.observer.serverFailure(server, failure);
      setConnected(false);
    }
    for (Authority user : List.copyOf(users)) {
      user.review();
      user.tellWatchers();
    }
  }

  /**
   * The server works. Watchers who were told otherwise are to be told by {@link #tellUsers}, after
   * whatever the server had to say.
   *
   * @return whether that is news to anybody
   */
  boolean heard() {
    if (isWell() && countingUsers() == users.size()) {
      return false;
    }
    recovered();
    List.copyOf(users).forEach(user -> user.answeredBy(this));
    return true;
  }

  /**
   * The stream has been up for long without a word. That is how a server behaves that has nothing
   * new to say, so an earlier failure is over; it is no reason to let go of a server that was asked
   * instead.
   *
   * @return whether that is news to anybody
   */
  boolean settled() {
    if (isWell() || countingUsers() == 0) {
      return false;
    }
    recovered();
    List.copyOf(users).forEach(Authority::review);
    return true;
  }

  private boolean isWell() {
    return proven && error == null;
  }

  private void recovered() {
    error = null;
    proven = true;
    if (Boolean.FALSE.equals(connected)) {
      setConnected(true);
    }
  }

  /** How many authorities go by this server and not by one that was asked instead. */
  private int countingUsers() {
    int counting = 0;
    for (Authority user : users) {
      if (user.countsOn(this)) {
        counting++;
      }
    }
    return counting;
  }

  void tellUsers() {
    List.copyOf(users).forEach(Authority::tellWatchers);
  }

  private void setConnected(boolean now) {
    connected = now;
    context.observer.connected(server, now);
  }

  @Override
  public void onTransientFailure(Status cause) {
    context.loop.execute(
        () -> {
          if (transport != null) {
            if (session != null) {
              session.channelFailed();
            }
            fail(Errors.channelFailed(server, cause));
          }
        });
  }

  /**
   * There is a connection again. If that is what the last attempt lacked, the next need not wait;
   * if that fails as well, the one after it does. An attempt that reached the server and failed
   * there waits all the same. A stream that outlived the failure of its channel now has to stand in
   * silence for as long as a new one.
   */
  @Override
  public void onConnected() {
    context.loop.execute(
        () -> {
          if (unreached && retry != null) {
            unreached = false;
            hurried = true;
            retryNow();
          }
          if (session != null && error != null) {
            session.channelRecovered();
          }
        });
  }
}
