// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.ads;

import dev.holdfast.config.ObjectKey;
import dev.holdfast.controlplane.snapshot.Resource;
import dev.holdfast.controlplane.snapshot.ResourceId;
import dev.holdfast.controlplane.snapshot.ResourceTable;
import dev.holdfast.controlplane.snapshot.ResourceType;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The connected proxies, gathered into groups that stand alike to everything: in a fleet that is at
 * rest there is one for each class. A question about an object is asked once for each group.
 */
public final class Fleet {
  private final List<Group> groups;

  private Fleet(List<Group> groups) {
    this.groups = groups;
  }

  /**
   * The fleet as it is now.
   *
   * @param counts tells by node who belongs to it
   */
  public static Fleet of(AdsServer server, Predicate<String> counts) {
    Map<List<Object>, Group> groups = new LinkedHashMap<>();
    for (Proxy proxy : server.proxies()) {
      if (!counts.test(proxy.node().id())) {
        continue;
      }
      groups.computeIfAbsent(key(proxy), unused -> new Group(proxy)).size++;
    }
    return new Fleet(Collections.unmodifiableList(new ArrayList<>(groups.values())));
  }

  public Collection<Group> groups() {
    return groups;
  }

  public boolean isEmpty() {
    return groups.isEmpty();
  }

  private static List<Object> key(Proxy proxy) {
    List<Object> key = new ArrayList<>();
    key.add(proxy.node().proxyClass());
    key.add(proxy.rejections.fingerprint());
    for (Session session : proxy.sessions()) {
      key.add(session.isAggregated());
      for (Channel channel : session.channels()) {
        ResourceTable running = channel.running();
        key.add(channel.type());
        key.add(running.versionHigh());
        key.add(running.versionLow());
        key.add(channel.subscription().fingerprint());
        key.add(channel.isSettled());
      }
    }
    return key;
  }

  /** Proxies that stand alike. */
  public static final class Group {
    private final Proxy one;
    private int size;

    private Group(Proxy one) {
      this.one = one;
    }

    public int size() {
      return size;
    }

    public String proxyClass() {
      return one.node().proxyClass();
    }

    /** Any of them. */
    public ProxyNode node() {
      return one.node();
    }

    /**
     * How they stand to an object's part of a resource.
     *
     * @param digest of the part
     */
    public Standing standing(ResourceId id, ObjectKey object, String digest) {
      Standing worst = Standing.UNCONCERNED;
      for (Session session : one.sessions()) {
        worst = Standing.worse(worst, standing(session, id, object, digest));
      }
      return worst instanceof Standing.Unconcerned ? unasked(id) : worst;
    }

    /** How they stand to what they do not ask for, but might later. */
    private Standing unasked(ResourceId id) {
      Resource newest = one.sessions().get(0).view().get(id);
      if (!one.node().isEnvoy()
          || newest == null
          || newest.audience() == Resource.Audience.BY_NAME) {
        return Standing.UNCONCERNED;
      }
      if (stillComing()) {
        return Standing.PENDING;
      }
      return one.rejections.passing().entrySet().stream()
          .findFirst()
          .<Standing>map(entry -> new Standing.Unable(entry.getKey(), entry.getValue()))
          .orElse(Standing.UNCONCERNED);
    }

    private static Standing standing(
        Session session, ResourceId id, ObjectKey object, String digest) {
      Channel channel = session.channel(id.type());
      Resource newest = session.view().get(id);
      if (channel == null || newest == null || !channel.subscription().covers(newest)) {
        return Standing.UNCONCERNED;
      }
      Resource held = channel.running().get(id.name());
      if (held != null && held.runs(newest, object, digest)) {
        return Standing.RUNS;
      }
      Rejections.Rejected refused = session.rejections().of(newest);
      if (refused == null) {
        return Standing.PENDING;
      }
      return refused.passing()
          ? new Standing.Unable(id, refused.message())
          : new Standing.Refused(refused.message(), refused.at());
    }

    /**
     * Envoy asks for one type after the other: for listeners when it has its clusters, for routes
     * when it has the listener.
     */
    private boolean stillComing() {
      Channel clusters = find(ResourceType.CLUSTER);
      Channel listeners = find(ResourceType.LISTENER);
      return clusters == null
          || listeners == null
          || !clusters.isSettled()
          || !listeners.isSettled();
    }

    private @Nullable Channel find(ResourceType type) {
      for (Session session : one.sessions()) {
        Channel channel = session.channel(type);
        if (channel != null) {
          return channel;
        }
      }
      return null;
    }
  }
}
