// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.ads.view;

import com.google.protobuf.Any;
import com.google.protobuf.ByteString;
import com.google.protobuf.InvalidProtocolBufferException;
import dev.holdfast.controlplane.ads.wire.Protocol;
import dev.holdfast.controlplane.snapshot.Digests;
import dev.holdfast.controlplane.snapshot.Resource;
import dev.holdfast.controlplane.snapshot.ResourceType;
import dev.holdfast.controlplane.snapshot.Snapshot;
import dev.holdfast.controlplane.translate.host.ResourceNames;
import io.envoyproxy.envoy.config.core.v3.Node;
import io.envoyproxy.envoy.config.listener.v3.Filter;
import io.envoyproxy.envoy.config.listener.v3.FilterChain;
import io.envoyproxy.envoy.config.listener.v3.Listener;
import io.envoyproxy.envoy.extensions.filters.network.http_connection_manager.v3.HttpConnectionManager;
import io.envoyproxy.envoy.type.v3.SemanticVersion;
import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/**
 * Which form a proxy gets the hosts without TLS in, and what it is served because of that. A
 * snapshot has both forms.
 *
 * <ul>
 *   <li>To a proxy with {@link HostForm#TABLE} there are no hosts of their own.
 *   <li>To a proxy with {@link HostForm#EACH}, the listener names the table whose hosts come one by
 *       one. The table with all hosts stays: a proxy that had the other form asks for it until the
 *       last connection of its old listener has ended.
 * </ul>
 *
 * <p>The listener that differs has the version of the original and a suffix, so that what a proxy
 * says of it can be told of the original. Loop only.
 */
public final class HostView {
  /** What Envoys before 1.37 do not take. */
  private static final int FIRST_MINOR = 37;

  private static final String SUFFIX = "-vhds";

  /** The baseline and a trial, of the common view and of some classes. */
  private static final int REMEMBERED = 8;

  private final boolean offered;
  private final Deque<Seen> seen = new ArrayDeque<>();
  private @Nullable Resource lastListener;
  private @Nullable Resource lastShown;

  private record Seen(Snapshot source, HostForm form, Snapshot shown) {}

  /**
   * @param offered whether any proxy gets each host as a resource of its own
   */
  public HostView(boolean offered) {
    this.offered = offered;
  }

  /**
   * The form that a proxy gets: each host by itself if it takes that.
   *
   * @param aggregated whether the stream carries all types
   */
  public HostForm formOf(Node node, Protocol protocol, boolean aggregated) {
    SemanticVersion version = node.getUserAgentBuildVersion().getVersion();
    boolean isNewEnough =
        version.getMajorNumber() > 1
            || (version.getMajorNumber() == 1 && version.getMinorNumber() >= FIRST_MINOR);
    return offered
            && protocol == Protocol.DELTA
            && aggregated
            && node.getUserAgentName().equals("envoy")
            && isNewEnough
        ? HostForm.EACH
        : HostForm.TABLE;
  }

  /** What proxies with a form are served in place of a snapshot. */
  @SuppressWarnings("ReferenceEquality") // snapshots that share what did not change
  public Snapshot of(Snapshot source, HostForm form) {
    if (!offered) {
      return source;
    }
    for (Seen each : seen) {
      if (each.source == source && each.form == form) {
        return each.shown;
      }
    }
    Snapshot shown = form == HostForm.EACH ? withListener(source) : withoutHosts(source);
    if (seen.size() == REMEMBERED) {
      seen.removeLast();
    }
    seen.addFirst(new Seen(source, form, shown));
    return shown;
  }

  private static Snapshot withoutHosts(Snapshot source) {
    return source.withoutAll(ResourceType.VIRTUAL_HOST).without(ResourceNames.PLAIN_HOSTS);
  }

  private Snapshot withListener(Snapshot source) {
    Resource listener = source.get(ResourceNames.PLAIN_LISTENER);
    return listener == null ? source : source.with(of(listener, HostForm.EACH));
  }

  /** What proxies with a form are served in place of a resource. */
  @SuppressWarnings("ReferenceEquality") // a resource has contributions that equality ignores
  public Resource of(Resource resource, HostForm form) {
    if (form == HostForm.TABLE || !resource.id().equals(ResourceNames.PLAIN_LISTENER)) {
      return resource;
    }
    Resource known = lastShown;
    if (known == null || lastListener != resource) {
      known = with(resource, byHost(resource), resource.version() + SUFFIX);
      lastListener = resource;
      lastShown = known;
    }
    return known;
  }

  /** The resource that a proxy is served this one for, or one that is equal to it. */
  public static Resource original(Resource served) {
    String version = served.version();
    return served.id().equals(ResourceNames.PLAIN_LISTENER) && version.endsWith(SUFFIX)
        ? with(served, served.body(), version.substring(0, version.length() - SUFFIX.length()))
        : served;
  }

  private static ByteString byHost(Resource original) {
    try {
      Listener.Builder listener = Listener.parseFrom(original.body()).toBuilder();
      for (FilterChain.Builder chain : listener.getFilterChainsBuilderList()) {
        for (Filter.Builder filter : chain.getFiltersBuilderList()) {
          if (filter.getTypedConfig().is(HttpConnectionManager.class)) {
            HttpConnectionManager.Builder manager =
                filter.getTypedConfig().unpack(HttpConnectionManager.class).toBuilder();
            manager.getRdsBuilder().setRouteConfigName(ResourceNames.PLAIN_HOSTS.name());
            filter.setTypedConfig(
                Any.newBuilder()
                    .setTypeUrl(filter.getTypedConfig().getTypeUrl())
                    .setValue(Digests.serialise(manager.build())));
          }
        }
      }
      return Digests.serialise(listener.build());
    } catch (InvalidProtocolBufferException e) {
      throw new IllegalStateException(original + " is not a listener", e);
    }
  }

  private static Resource with(Resource original, ByteString body, String version) {
    return new Resource(
        original.id(),
        version,
        body,
        original.audience(),
        original.contributions(),
        original.clusters(),
        original.filters(),
        original.provenance());
  }
}
