// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.testkit.envoy;

import dev.holdfast.testkit.TypeUrls;
import io.envoyproxy.envoy.config.listener.v3.Listener;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * LDS and all listeners. Removals first, then the good listeners of a response whatever the others
 * are. The answer does not wait for listeners to warm. At the start nothing is served before all
 * first listeners are ready; later a new listener replaces the old one when it is.
 */
final class Listeners implements Subscription.Callbacks {
  private final Mux mux;
  private final Stats stats;
  private final Providers providers;
  private final List<Validator> validators;
  private final Set<String> staticNames;
  private final Map<String, ListenerEntry> active = new TreeMap<>();
  private final Map<String, ListenerEntry> warming = new TreeMap<>();
  private boolean answered;
  private boolean live;

  Listeners(Mux mux, Stats stats, Providers providers, EnvoyOptions options) {
    this.mux = mux;
    this.stats = stats;
    this.providers = providers;
    this.validators = options.validators();
    this.staticNames = options.staticNames();
  }

  void start(Duration timeout) {
    mux.subscribe(
        new Subscription(TypeUrls.LISTENER, Set.of(), this, stats, "listener_manager.lds."),
        timeout);
  }

  /** Whether requests are taken at all. */
  boolean isLive() {
    return live;
  }

  @Nullable ListenerEntry inForce(String name) {
    return live ? active.get(name) : null;
  }

  Set<String> activeNames() {
    return new TreeSet<>(active.keySet());
  }

  Set<String> warmingNames() {
    return new TreeSet<>(warming.keySet());
  }

  @Override
  public void world(List<DecodedResource> all, String version) {
    Set<String> gone = new TreeSet<>(active.keySet());
    gone.addAll(warming.keySet());
    all.forEach(taken -> gone.remove(taken.name()));
    update(all, List.copyOf(gone), version);
  }

  @Override
  public void update(List<DecodedResource> added, List<String> removed, String version) {
    StringBuilder problems = new StringBuilder();
    mux.whilePaused(
        () -> {
          removed.forEach(this::remove);
          Set<String> seen = new HashSet<>();
          added.forEach(taken -> take((Listener) taken.message(), seen, problems));
        },
        TypeUrls.ROUTE_CONFIGURATION,
        TypeUrls.SECRET);
    answered = true;
    checkLive();
    if (!problems.isEmpty()) {
      throw new RejectedException("Error adding/updating listener(s) " + problems);
    }
  }

  @Override
  public void failed(Subscription.Failure why) {
    answered = true;
    checkLive();
  }

  private void take(Listener listener, Set<String> seen, StringBuilder problems) {
    try {
      if (!seen.add(listener.getName())) {
        throw new RejectedException("duplicate listener %s found".formatted(listener.getName()));
      }
      addOrUpdate(listener);
    } catch (RejectedException e) {
      problems.append(listener.getName()).append(": ").append(e.text()).append('\n');
    }
  }

  private void addOrUpdate(Listener listener) {
    String name = listener.getName();
    if (staticNames.contains(name) || listener.hasApiListener()) {
      return;
    }
    ListenerEntry old = active.get(name);
    ListenerEntry warmer = warming.get(name);
    if (warmer != null && warmer.config.equals(listener)) {
      return;
    }
    if (old != null && old.config.equals(listener)) {
      drop(warming.remove(name));
      return;
    }
    ListenerEntry entry = new ListenerEntry(listener, providers, validators);
    checkAddress(entry);
    if (live) {
      drop(warming.put(name, entry));
      entry.warm(() -> warm(entry));
    } else {
      ListenerEntry replaced = active.put(name, entry);
      entry.warm(this::checkLive);
      drop(replaced);
    }
    count();
  }

  private void checkAddress(ListenerEntry entry) {
    boolean taken =
        Stream.concat(active.values().stream(), warming.values().stream())
            .anyMatch(
                other ->
                    !other.config.getName().equals(entry.config.getName())
                        && !entry.address().isEmpty()
                        && other.address().equals(entry.address()));
    if (taken) {
      entry.close();
      throw new RejectedException(
          ("error adding listener: '%s' has duplicate address '%s' as existing listener, to check"
                  + " if the listener has duplicated addresses with other listeners or"
                  + " 'enable_reuse_port' is set to 'false' for the listener")
              .formatted(entry.config.getName(), entry.address()));
    }
  }

  private void warm(ListenerEntry entry) {
    String name = entry.config.getName();
    if (warming.remove(name, entry)) {
      drop(active.put(name, entry));
      count();
    }
  }

  private void remove(String name) {
    drop(active.remove(name));
    drop(warming.remove(name));
    count();
  }

  private static void drop(@Nullable ListenerEntry entry) {
    if (entry != null) {
      entry.close();
    }
  }

  private void checkLive() {
    live = live || (answered && active.values().stream().allMatch(ListenerEntry::isReady));
    count();
  }

  private void count() {
    stats.set("listener_manager.total_listeners_active", active.size());
    stats.set("listener_manager.total_listeners_warming", warming.size());
  }
}
