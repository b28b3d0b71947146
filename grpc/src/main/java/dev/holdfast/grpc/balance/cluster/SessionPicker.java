// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.grpc.balance.cluster;

import dev.holdfast.grpc.config.RoutedCall;
import dev.holdfast.grpc.config.Session;
import io.grpc.Attributes;
import io.grpc.ConnectivityState;
import io.grpc.LoadBalancer.PickResult;
import io.grpc.LoadBalancer.PickSubchannelArgs;
import io.grpc.LoadBalancer.Subchannel;
import io.grpc.LoadBalancer.SubchannelPicker;
import java.net.SocketAddress;
import org.jspecify.annotations.Nullable;

/** Sends a call to the endpoint of its session, or has it balanced (gRFC A55, A75). */
final class SessionPicker extends SubchannelPicker {
  private final SubchannelPicker balanced;
  private final SessionBalancer balancer;

  SessionPicker(SubchannelPicker balanced, SessionBalancer balancer) {
    this.balanced = balanced;
    this.balancer = balancer;
  }

  @Override
  public PickResult pickSubchannel(PickSubchannelArgs args) {
    RoutedCall call = args.getCallOptions().getOption(RoutedCall.KEY);
    Session session = call == null ? null : call.session();
    return session == null ? balanced.pickSubchannel(args) : pick(session, args);
  }

  private PickResult pick(Session session, PickSubchannelArgs args) {
    SessionHosts hosts = balancer.hosts();
    if (hosts == null) {
      return balanced.pickSubchannel(args);
    }
    Search search = new Search(hosts);
    search.run(session);
    if (search.ready == null && search.toWaitFor != null) {
      // Whoever changes a subchannel from now on sees that a call waits; what has changed before
      // is seen here.
      balancer.await();
      search = new Search(hosts);
      search.run(session);
    }
    HostSubchannel ready = search.ready;
    if (ready != null) {
      note(session, hosts, ready);
      return PickResult.withSubchannel(ready);
    }
    if (search.toWaitFor != null) {
      if (search.toConnect) {
        balancer.connect(search.toWaitFor);
      }
      return PickResult.withNoResult();
    }
    PickResult result = balanced.pickSubchannel(args);
    Subchannel subchannel = result.getSubchannel();
    if (subchannel != null) {
      note(session, hosts, subchannel);
    }
    return result;
  }

  /** Remembers where a call of a session goes. */
  private void note(Session session, SessionHosts hosts, Subchannel subchannel) {
    Attributes attributes = subchannel.getConnectedAddressAttributes();
    SocketAddress address =
        attributes == null ? null : attributes.get(EndpointAttributes.CONNECTED_ADDRESS);
    SessionHosts.Host host = address == null ? null : hosts.at(address);
    if (address != null && host != null) {
      balancer.use(address);
      session.goesTo(host.addresses(address));
    }
  }

  /** Looks for a subchannel: one that is ready, else one that may become so. */
  private final class Search {
    private final SessionHosts hosts;
    @Nullable HostSubchannel ready;

    /** The address of the best one that is not ready; null if none may become so. */
    @Nullable SocketAddress toWaitFor;

    /** Whether it must be told to connect. */
    boolean toConnect;

    private int rank;

    Search(SessionHosts hosts) {
      this.hosts = hosts;
    }

    void run(Session session) {
      for (SocketAddress address : session.wanted()) {
        if (hosts.usableAt(address) != null) {
          HostSubchannel child = balancer.child(address);
          HostSubchannel own = balancer.own(address);
          consider(address, child);
          consider(address, own);
          if (child == null && own == null) {
            wait(address, /* newRank= */ 1, /* connect= */ true);
          }
          if (ready != null) {
            return;
          }
        }
      }
    }

    private void consider(SocketAddress address, @Nullable HostSubchannel subchannel) {
      ConnectivityState state = subchannel == null ? null : subchannel.usability();
      if (state == null || ready != null) {
        return;
      }
      switch (state) {
        case READY -> ready = subchannel;
        case IDLE -> wait(address, /* newRank= */ 3, /* connect= */ true);
        case CONNECTING -> wait(address, /* newRank= */ 2, /* connect= */ false);
        case TRANSIENT_FAILURE, SHUTDOWN -> {} // the session moves
      }
    }

    /** As A75 has it: one that is idle first, then one that connects, then one to be created. */
    private void wait(SocketAddress address, int newRank, boolean connect) {
      if (newRank > rank) {
        rank = newRank;
        toWaitFor = address;
        toConnect = connect;
      }
    }
  }
}
