// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.ads.fleet;

import dev.holdfast.config.ObjectKey;
import dev.holdfast.controlplane.ads.AdsServer;
import dev.holdfast.controlplane.ads.proxy.ProxyNode;
import dev.holdfast.controlplane.ads.proxy.RejectedVersions;
import dev.holdfast.controlplane.ads.stream.AdsStream;
import dev.holdfast.controlplane.ads.stream.Proxy;
import dev.holdfast.controlplane.ads.stream.TypeStream;
import dev.holdfast.controlplane.ads.view.HostForm;
import dev.holdfast.controlplane.snapshot.Resource;
import dev.holdfast.controlplane.snapshot.ResourceId;
import dev.holdfast.controlplane.snapshot.ResourceTable;
import dev.holdfast.controlplane.snapshot.ResourceType;
import dev.holdfast.controlplane.translate.host.ResourceNames;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The connected proxies in groups of equal state: a settled fleet has one group per class. The
 * status of an object is computed once per group.
 */
public final class ProxyGroups {
  private final List<Group> groups;
  private final @Nullable ProxyGroups diverged;

  private ProxyGroups(List<Group> groups, @Nullable ProxyGroups diverged) {
    this.groups = groups;
    this.diverged = diverged;
  }

  /**
   * The groups of all connected proxies.
   *
   * @param counts whether a node counts
   * @param diverged whether one that does is unlike its class
   */
  public static ProxyGroups of(
      AdsServer server, Predicate<ProxyNode> counts, Predicate<ProxyNode> diverged) {
    return new ProxyGroups(
        of(server, counts.and(diverged.negate())).groups, of(server, counts.and(diverged)));
  }

  /** The same where none is. */
  public static ProxyGroups of(AdsServer server, Predicate<ProxyNode> counts) {
    Map<List<Object>, Group> groups = new LinkedHashMap<>();
    for (Proxy proxy : server.proxies()) {
      if (!counts.test(proxy.node())) {
        continue;
      }
      groups.computeIfAbsent(key(proxy), unused -> new Group(proxy)).size++;
    }
    return new ProxyGroups(Collections.unmodifiableList(new ArrayList<>(groups.values())), null);
  }

  /** The proxies that are unlike their class: they are counted, and decide nothing. */
  public ProxyGroups diverged() {
    return diverged == null ? new ProxyGroups(List.of(), null) : diverged;
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
    key.add(proxy.rejections().keyFor(proxy.streams().get(0).view()));
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

  /** Proxies of equal state. */
  public static final class Group {
    private final Proxy sample;
    private int size;

    private Group(Proxy sample) {
      this.sample = sample;
    }

    public int size() {
      return size;
    }

    public String proxyClass() {
      return sample.node().proxyClass();
    }

    /** The node of any of them. */
    public ProxyNode node() {
      return sample.node();
    }

    /**
     * The status of an object's part of a resource.
     *
     * @param digest of the part
     */
    public PartStatus status(ResourceId id, ObjectKey object, String digest) {
      PartStatus worst = PartStatus.UNCONCERNED;
      for (AdsStream stream : sample.streams()) {
        worst = PartStatus.worse(worst, status(stream, id, object, digest));
      }
      return worst instanceof PartStatus.Unconcerned ? unrequestedStatus(id) : worst;
    }

    /** The status of a resource that the proxies have not requested, but may request later. */
    private PartStatus unrequestedStatus(ResourceId id) {
      Resource newest = sample.streams().get(0).view().get(id);
      if (!sample.node().isEnvoy()
          || newest == null
          || (sample.hostForm() == HostForm.EACH && id.equals(ResourceNames.PLAIN_ROUTES))
          || newest.audience() == Resource.Audience.BY_NAME) {
        return PartStatus.UNCONCERNED;
      }
      if (isStartingUp()) {
        return PartStatus.PENDING;
      }
      return sample.rejections().localProblems().entrySet().stream()
          .findFirst()
          .<PartStatus>map(entry -> new PartStatus.Unable(entry.getKey(), entry.getValue()))
          .orElse(PartStatus.UNCONCERNED);
    }

    private static PartStatus status(
        AdsStream stream, ResourceId id, ObjectKey object, String digest) {
      TypeStream typeStream = stream.typeStream(id.type());
      Resource newest = stream.view().get(id);
      if (newest == null && typeStream != null && id.type() == ResourceType.VIRTUAL_HOST) {
        return PartStatus.PENDING; // it will be a part of the hosts that it gets
      }
      if (typeStream == null || newest == null || !typeStream.subscription().covers(newest)) {
        return PartStatus.UNCONCERNED;
      }
      Resource running = typeStream.running().get(id.name());
      if (running != null && running.runs(newest, object, digest)) {
        return PartStatus.RUNS;
      }
      RejectedVersions.Reason rejected = stream.rejections().reason(newest);
      if (rejected == null) {
        return PartStatus.PENDING;
      }
      return rejected.local()
          ? new PartStatus.Unable(id, rejected.message())
          : new PartStatus.Refused(rejected.message(), rejected.at());
    }

    /**
     * Envoy requests one type after the other: listeners when it has its clusters, routes when it
     * has the listener, hosts when it has the table that they are of.
     */
    private boolean isStartingUp() {
      if (sample.streams().stream().anyMatch(AdsStream::isWarmingHosts)) {
        return true;
      }
      TypeStream clusters = find(ResourceType.CLUSTER);
      TypeStream listeners = find(ResourceType.LISTENER);
      return clusters == null
          || listeners == null
          || !clusters.isSettled()
          || !listeners.isSettled();
    }

    private @Nullable TypeStream find(ResourceType type) {
      for (AdsStream stream : sample.streams()) {
        TypeStream typeStream = stream.typeStream(type);
        if (typeStream != null) {
          return typeStream;
        }
      }
      return null;
    }
  }
}
