// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.grpc.balance.cluster;

import static dev.holdfast.grpc.balance.kit.Clusters.assignment;
import static dev.holdfast.grpc.balance.kit.Clusters.cluster;
import static dev.holdfast.grpc.balance.kit.Clusters.leaf;
import static dev.holdfast.grpc.balance.kit.Clusters.with;
import static io.grpc.ConnectivityState.CONNECTING;
import static io.grpc.ConnectivityState.TRANSIENT_FAILURE;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.grpc.security.ClusterSecurity;
import dev.holdfast.xds.resources.tls.UpstreamTls;
import io.grpc.ChannelCredentials;
import io.grpc.ChoiceChannelCredentials;
import io.grpc.InsecureChannelCredentials;
import io.grpc.Status;
import io.grpc.TlsChannelCredentials;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A cluster that asks for TLS, on channels with all kinds of credentials. */
class LeafSecurityTest {
  private static final UpstreamTls SYSTEM_ROOTS =
      new UpstreamTls(null, null, List.of(), "", false, false);

  private final Leaf leaf = new Leaf();

  @Test
  void plaintextIsRefusedWithoutOneConnection() {
    leaf.channel.credentials(InsecureChannelCredentials.create());
    leaf.give(leaf(with(SYSTEM_ROOTS, cluster("c")), assignment(1)));
    assertThat(leaf.channel.state()).isEqualTo(TRANSIENT_FAILURE);
    assertThat(leaf.channel.subchannels()).isEmpty();
    Status status = leaf.channel.error(Leaf.call());
    assertThat(status.getCode()).isEqualTo(Status.Code.UNAVAILABLE);
    assertThat(status.getDescription())
        .startsWith("cluster c: asks for TLS, and the channel's credentials do not provide it: ")
        .contains("InsecureChannelCredentials", "withClusterTlsIgnored()")
        .endsWith("(node test-node)");
  }

  @Test
  void credentialsThatNobodyKnowsAreRefused() {
    leaf.channel.credentials(new NettyChannelCredentials());
    leaf.give(leaf(with(SYSTEM_ROOTS, cluster("c")), assignment(1)));
    assertThat(leaf.channel.subchannels()).isEmpty();
    assertThat(leaf.channel.error(Leaf.call()).getDescription())
        .contains("XdsChannelCredentials of grpc-xds");
  }

  @Test
  void tlsOfTheApplicationsOwnIsItsChoice() {
    leaf.channel.credentials(TlsChannelCredentials.create());
    leaf.give(leaf(with(SYSTEM_ROOTS, cluster("c")), assignment(1)));
    assertThat(leaf.channel.state()).isEqualTo(CONNECTING);
    assertThat(leaf.channel.subchannels()).hasSize(1);
  }

  @Test
  void chosenCredentialsMustAllBeTls() {
    leaf.channel.credentials(
        ChoiceChannelCredentials.create(
            TlsChannelCredentials.create(), InsecureChannelCredentials.create()));
    leaf.give(leaf(with(SYSTEM_ROOTS, cluster("c")), assignment(1)));
    assertThat(leaf.channel.subchannels()).isEmpty();
  }

  @Test
  void whoeverOptsOutByNameGetsTheChannelsCredentials() {
    Leaf ignoring = new Leaf(new CircuitBreakers(), ClusterSecurity.clusterTlsIgnored());
    ignoring.channel.credentials(InsecureChannelCredentials.create());
    ignoring.give(leaf(with(SYSTEM_ROOTS, cluster("c")), assignment(1)));
    assertThat(ignoring.channel.subchannels()).hasSize(1);
  }

  @Test
  void clusterThatBeginsToAskForTlsLosesItsPlaintextConnections() {
    leaf.channel.credentials(InsecureChannelCredentials.create());
    leaf.give(leaf(cluster("c"), assignment(1)));
    leaf.connectAll();
    leaf.give(leaf(with(SYSTEM_ROOTS, cluster("c")), assignment(1)));
    assertThat(leaf.channel.state()).isEqualTo(TRANSIENT_FAILURE);
    assertThat(leaf.channel.subchannel(1).isShutDown()).isTrue();
    leaf.give(leaf(cluster("c"), assignment(1)));
    assertThat(leaf.channel.state()).isEqualTo(CONNECTING);
  }

  /** Has the name of the class that credentials of other libraries are of. */
  private static final class NettyChannelCredentials extends ChannelCredentials {
    @Override
    public ChannelCredentials withoutBearerTokens() {
      return this;
    }
  }
}
