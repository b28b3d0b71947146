// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.grpc.balance.cluster;

import static io.grpc.ConnectivityState.CONNECTING;

import dev.holdfast.grpc.balance.policy.Pickers;
import dev.holdfast.grpc.balance.policy.Policy;
import dev.holdfast.grpc.balance.policy.PolicyFactory;
import dev.holdfast.xds.resources.cluster.SessionAffinity;
import dev.holdfast.xds.resources.endpoint.EndpointHealth;
import io.grpc.ConnectivityState;
import io.grpc.Deadline;
import io.grpc.LoadBalancer;
import io.grpc.Status;
import io.grpc.SynchronizationContext.ScheduledHandle;
import io.grpc.util.ForwardingLoadBalancerHelper;
import io.grpc.util.GracefulSwitchLoadBalancer;
import java.net.SocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Sends the calls of sessions to the endpoints where these are, whatever the policies below it
 * would pick (gRFC A55), across the priorities of the cluster (gRFC A75).
 *
 * <p>It knows the subchannels that the policies below create. Where they have none for an endpoint
 * that a session needs, in a priority that is not in use for example, it has one of its own. It
 * also takes over what they let go of while sessions use it. What no session has used for a while
 * is closed.
 */
final class SessionBalancer extends LoadBalancer {
  static final PolicyFactory FACTORY =
      new PolicyFactory(
          "sessions", helper -> new SessionBalancer(helper, Deadline.getSystemTicker()::nanoTime));

  /** The least time between two looks for what is not used any more. */
  private static final Duration MIN_SWEEP = Duration.ofSeconds(5);

  private static final Duration FOREVER = Duration.ofDays(36_500);

  private final Helper helper;
  private final LongSupplier nanoTime;
  private final GracefulSwitchLoadBalancer below;

  /** Those of the policies below, by address. Changed in the synchronization context. */
  private final ConcurrentMap<SocketAddress, HostSubchannel> children = new ConcurrentHashMap<>();

  /** Those that only sessions need. Changed in the synchronization context. */
  private final ConcurrentMap<SocketAddress, HostSubchannel> owned = new ConcurrentHashMap<>();

  /** When sessions last used an address. Written with calls. */
  private final ConcurrentMap<SocketAddress, Long> used = new ConcurrentHashMap<>();

  private volatile @Nullable SessionHosts hosts;

  /** Whether calls wait for a subchannel to change. Set by calls before they look once more. */
  private volatile boolean waiting;

  // All below: in the synchronization context.
  private ConnectivityState state = CONNECTING;
  private SubchannelPicker picker = Pickers.connecting("cluster: not connected yet");
  private @Nullable ScheduledHandle sweep;
  private boolean shutDown;

  /**
   * @param balancing what balances the calls that are not sent to the endpoint of their session
   */
  record Config(SessionHosts hosts, Policy balancing) {}

  SessionBalancer(Helper helper, LongSupplier nanoTime) {
    this.helper = helper;
    this.nanoTime = nanoTime;
    below = new GracefulSwitchLoadBalancer(new Below());
  }

  @Override
  public Status acceptResolvedAddresses(ResolvedAddresses resolved) {
    Config config =
        (Config) Objects.requireNonNull(resolved.getLoadBalancingPolicyConfig(), "config");
    SessionHosts next = config.hosts();
    hosts = next;
    if (!used.isEmpty()) {
      used.keySet().removeIf(address -> next.at(address) == null);
    }
    List.copyOf(owned.entrySet())
        .forEach(
            entry -> {
              if (next.usableAt(entry.getKey()) == null) {
                drop(entry);
              }
            });
    below.acceptResolvedAddresses(
        resolved.toBuilder().setLoadBalancingPolicyConfig(config.balancing().forSwitch()).build());
    if (waiting) {
      changed();
    }
    return Status.OK;
  }

  private void drop(Map.Entry<SocketAddress, HostSubchannel> entry) {
    if (owned.remove(entry.getKey(), entry.getValue()) && !owned.containsValue(entry.getValue())) {
      entry.getValue().close();
    }
  }

  // For the picker, on any thread.

  @Nullable SessionHosts hosts() {
    return hosts;
  }

  @Nullable HostSubchannel child(SocketAddress address) {
    return children.get(address);
  }

  @Nullable HostSubchannel own(SocketAddress address) {
    return owned.get(address);
  }

  /** A call of a session goes to an address, or waits for it. */
  void use(SocketAddress address) {
    used.put(address, nanoTime.getAsLong());
  }

  /** Calls wait from now on, until a subchannel changes. */
  void await() {
    waiting = true;
  }

  /** Connects to an endpoint for a session. */
  void connect(SocketAddress address) {
    helper.getSynchronizationContext().execute(() -> connectNow(address));
  }

  private void connectNow(SocketAddress address) {
    SessionHosts now = hosts;
    SessionHosts.Host host = now == null ? null : now.usableAt(address);
    if (shutDown || host == null) {
      changed(); // the calls that wait are to look again
      return;
    }
    use(address);
    HostSubchannel child = children.get(address);
    HostSubchannel own = owned.get(address);
    if (child == null && own == null) {
      own = new HostSubchannel(this, List.of(address));
      owned.put(address, own);
      own.connectTo(
          helper.createSubchannel(
              CreateSubchannelArgs.newBuilder()
                  .setAddresses(List.of(host.group(address)))
                  .build()));
      own.start(info -> {});
      sweepLater();
    }
    if (child != null) {
      child.connectIfIdle();
    }
    if (own != null) {
      own.connectIfIdle();
    }
  }

  // From subchannels, in the synchronization context.

  /** The state of a subchannel has changed. */
  void changed(HostSubchannel subchannel) {
    if (subchannel.ready() && !owned.isEmpty()) {
      for (SocketAddress address : subchannel.addresses()) {
        HostSubchannel own = owned.get(address);
        if (own != null && own != subchannel && children.get(address) == subchannel) {
          drop(Map.entry(address, own)); // one connection is enough
        }
      }
    }
    if (waiting) {
      changed();
    }
  }

  private void changed() {
    waiting = false;
    publish();
  }

  /** The policies below let go of a subchannel; true if sessions still need it. */
  boolean takesOver(HostSubchannel subchannel) {
    subchannel.addresses().forEach(address -> children.remove(address, subchannel));
    boolean taken = false;
    if (!shutDown && subchannel.ready() && needed(subchannel)) {
      for (SocketAddress address : subchannel.addresses()) {
        if (owned.putIfAbsent(address, subchannel) == null) {
          used.putIfAbsent(address, nanoTime.getAsLong());
          taken = true;
        }
      }
    }
    if (taken) {
      sweepLater();
    }
    if (waiting) {
      changed();
    }
    return taken;
  }

  private boolean needed(HostSubchannel subchannel) {
    SessionHosts now = hosts;
    if (now == null
        || (used.isEmpty() && !now.affinity().statuses().contains(EndpointHealth.DRAINING))) {
      return false;
    }
    for (SocketAddress address : subchannel.addresses()) {
      SessionHosts.Host host = now.usableAt(address);
      if (host != null
          && !children.containsKey(address)
          && (host.endpoint().health() == EndpointHealth.DRAINING
              || idleNanos(address) < timeoutNanos(now))) {
        return true;
      }
    }
    return false;
  }

  void serves(HostSubchannel subchannel, List<SocketAddress> addresses) {
    addresses.forEach(address -> children.put(address, subchannel));
  }

  void servesNoMore(HostSubchannel subchannel, List<SocketAddress> addresses) {
    addresses.forEach(address -> children.remove(address, subchannel));
  }

  private long idleNanos(SocketAddress address) {
    Long last = used.get(address);
    return last == null ? Long.MAX_VALUE : nanoTime.getAsLong() - last;
  }

  private static long timeoutNanos(SessionHosts hosts) {
    SessionAffinity affinity = hosts.affinity();
    return (affinity.idleTimeout().compareTo(FOREVER) < 0 ? affinity.idleTimeout() : FOREVER)
        .toNanos();
  }

  private void sweepLater() {
    SessionHosts now = hosts;
    if (sweep != null || now == null || owned.isEmpty() || shutDown) {
      return;
    }
    long next = timeoutNanos(now);
    for (SocketAddress address : owned.keySet()) {
      next = Math.min(next, timeoutNanos(now) - idleNanos(address));
    }
    sweep =
        helper
            .getSynchronizationContext()
            .schedule(
                this::sweep,
                Math.max(next, MIN_SWEEP.toNanos()),
                TimeUnit.NANOSECONDS,
                helper.getScheduledExecutorService());
  }

  private void sweep() {
    sweep = null;
    SessionHosts now = hosts;
    if (now != null) {
      List.copyOf(owned.entrySet())
          .forEach(
              entry -> {
                if (idleNanos(entry.getKey()) >= timeoutNanos(now)) {
                  used.remove(entry.getKey());
                  drop(entry);
                }
              });
    }
    sweepLater();
  }

  private void publish() {
    if (!shutDown) {
      helper.updateBalancingState(state, new SessionPicker(picker, this));
    }
  }

  @Override
  public void handleNameResolutionError(Status error) {
    below.handleNameResolutionError(error);
  }

  @Override
  public void requestConnection() {
    below.requestConnection();
  }

  @Override
  public void shutdown() {
    shutDown = true;
    if (sweep != null) {
      sweep.cancel();
      sweep = null;
    }
    below.shutdown();
    List.copyOf(owned.entrySet()).forEach(this::drop);
  }

  private final class Below extends ForwardingLoadBalancerHelper {
    @Override
    protected Helper delegate() {
      return helper;
    }

    @Override
    public void updateBalancingState(ConnectivityState newState, SubchannelPicker newPicker) {
      state = newState;
      picker = newPicker;
      waiting = false;
      publish();
    }

    @Override
    public Subchannel createSubchannel(CreateSubchannelArgs args) {
      HostSubchannel subchannel =
          new HostSubchannel(SessionBalancer.this, HostSubchannel.addresses(args.getAddresses()));
      subchannel.connectTo(helper.createSubchannel(subchannel.observed(args)));
      serves(subchannel, subchannel.addresses());
      return subchannel;
    }
  }
}
