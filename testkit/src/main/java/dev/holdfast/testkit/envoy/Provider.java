// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.testkit.envoy;

import com.google.protobuf.Message;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Something that listeners and clusters refer to by name and share: routes, a secret, a filter's
 * configuration. It is <em>ready</em>, and no longer keeps anybody from being used, when it has
 * come, was rejected, or has not come in time. Which of these it was does not matter: that is how
 * bad routes make a listener go live without any.
 */
abstract class Provider implements Subscription.Callbacks {
  final String name;
  private final Mux mux;
  private final Subscription subscription;
  private final Duration timeout;
  private final Set<Object> users = new LinkedHashSet<>();
  private final List<Runnable> waiting = new ArrayList<>();
  private boolean started;
  private boolean ready;

  Provider(String type, Reference reference, Mux mux, Stats stats) {
    this.name = reference.name();
    this.mux = mux;
    this.timeout = reference.timeout();
    subscription = new Subscription(type, Set.of(name), this, stats, reference.statPrefix());
  }

  /** What is in use now; null if nothing is. */
  abstract @Nullable Message current();

  /** Takes a resource, or throws {@link RejectedException}. */
  abstract void apply(Message resource);

  /** The server says that it is gone. */
  abstract void removed();

  void use(Object user) {
    users.add(user);
  }

  /** Whether nobody is left, in which case it has to be thrown away. */
  boolean release(Object user) {
    users.remove(user);
    if (users.isEmpty() && started) {
      mux.unsubscribe(subscription);
    }
    return users.isEmpty();
  }

  final Set<Object> users() {
    return users;
  }

  /** Asks for it, unless that was done, and runs a task as soon as it is ready. */
  final void await(Runnable whenReady) {
    if (!ready) {
      waiting.add(whenReady);
    }
    if (!started) {
      started = true;
      mux.subscribe(subscription, timeout);
    }
    if (ready) {
      whenReady.run();
    }
  }

  final boolean isReady() {
    return ready;
  }

  final void ready() {
    if (!ready) {
      ready = true;
      List<Runnable> tasks = List.copyOf(waiting);
      waiting.clear();
      tasks.forEach(Runnable::run);
    }
  }

  @Override
  public final void update(List<DecodedResource> added, List<String> removed, String version) {
    if (!removed.isEmpty()) {
      removed();
    }
    if (!added.isEmpty()) {
      apply(added.get(0).message());
      if (isComplete()) {
        ready();
      }
    }
  }

  /** Whether nothing else is missing once it has come. */
  boolean isComplete() {
    return true;
  }

  @Override
  public final void failed(Subscription.Failure why) {
    ready();
  }
}
