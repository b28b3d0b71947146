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
public final class ProxyGroups {
  private final List<Group> groups;

  private ProxyGroups(List<Group> groups) {
    this.groups = groups;
  }

  /**
   * The fleet as it is now.
   *
   * @param counts tells by node who belongs to it
   */
  public static ProxyGroups of(AdsServer server, Predicate<String> counts) {
    Map<List<Object>, Group> groups = new LinkedHashMap<>();
    for (Proxy proxy : server.proxies()) {
      if (!counts.test(proxy.node().id())) {
        continue;
      }
      groups.computeIfAbsent(key(proxy), unused -> new Group(proxy)).size++;
    }
    return new ProxyGroups(Collections.unmodifiableList(new ArrayList<>(groups.values())));
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
    for (AdsStream stream : proxy.streams()) {
      key.add(stream.isAggregated());
      for (TypeStream typeStream : stream.typeStreams()) {
        ResourceTable running = typeStream.running();
        key.add(typeStream.type());
        key.add(running.versionHigh());
        key.add(running.versionLow());
        key.add(typeStream.subscription().fingerprint());
        key.add(typeStream.isSettled());
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
    public PartStatus status(ResourceId id, ObjectKey object, String digest) {
      PartStatus worst = PartStatus.UNCONCERNED;
      for (AdsStream stream : one.streams()) {
        worst = PartStatus.worse(worst, status(stream, id, object, digest));
      }
      return worst instanceof PartStatus.Unconcerned ? unasked(id) : worst;
    }

    /** How they stand to what they do not ask for, but might later. */
    private PartStatus unasked(ResourceId id) {
      Resource newest = one.streams().get(0).view().get(id);
      if (!one.node().isEnvoy()
          || newest == null
          || newest.audience() == Resource.Audience.BY_NAME) {
        return PartStatus.UNCONCERNED;
      }
      if (stillComing()) {
        return PartStatus.PENDING;
      }
      return one.rejections.passing().entrySet().stream()
          .findFirst()
          .<PartStatus>map(entry -> new PartStatus.Unable(entry.getKey(), entry.getValue()))
          .orElse(PartStatus.UNCONCERNED);
    }

    private static PartStatus status(
        AdsStream stream, ResourceId id, ObjectKey object, String digest) {
      TypeStream typeStream = stream.typeStream(id.type());
      Resource newest = stream.view().get(id);
      if (typeStream == null || newest == null || !typeStream.subscription().covers(newest)) {
        return PartStatus.UNCONCERNED;
      }
      Resource held = typeStream.running().get(id.name());
      if (held != null && held.runs(newest, object, digest)) {
        return PartStatus.RUNS;
      }
      RejectedVersions.Rejected refused = stream.rejections().of(newest);
      if (refused == null) {
        return PartStatus.PENDING;
      }
      return refused.passing()
          ? new PartStatus.Unable(id, refused.message())
          : new PartStatus.Refused(refused.message(), refused.at());
    }

    /**
     * Envoy asks for one type after the other: for listeners when it has its clusters, for routes
     * when it has the listener.
     */
    private boolean stillComing() {
      TypeStream clusters = find(ResourceType.CLUSTER);
      TypeStream listeners = find(ResourceType.LISTENER);
      return clusters == null
          || listeners == null
          || !clusters.isSettled()
          || !listeners.isSettled();
    }

    private @Nullable TypeStream find(ResourceType type) {
      for (AdsStream stream : one.streams()) {
        TypeStream typeStream = stream.typeStream(type);
        if (typeStream != null) {
          return typeStream;
        }
      }
      return null;
    }
  }
}
