// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.grpc.transport;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.base.Env;
import dev.holdfast.testkit.FakeAdsServer;
import dev.holdfast.testkit.FakeLoadService;
import dev.holdfast.testkit.FakeStream;
import dev.holdfast.testkit.Recorder;
import dev.holdfast.xds.client.ServerConfig;
import dev.holdfast.xds.client.transport.AdsProtocol;
import dev.holdfast.xds.client.transport.XdsTransport;
import io.envoyproxy.envoy.service.discovery.v3.DiscoveryRequest;
import io.envoyproxy.envoy.service.load_stats.v3.LoadStatsRequest;
import io.envoyproxy.envoy.service.load_stats.v3.LoadStatsResponse;
import io.grpc.Attributes;
import io.grpc.ServerTransportFilter;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Discovery and load reports on one connection. */
class SharedConnectionTest {
  private final FakeLoadService loads = new FakeLoadService();
  private final Recorder<String> connections = new Recorder<>("connection");
  private final FakeAdsServer server =
      FakeAdsServer.start(
          builder ->
              builder
                  .addService(loads)
                  .addTransportFilter(
                      new ServerTransportFilter() {
                        @Override
                        public Attributes transportReady(Attributes attributes) {
                          connections.add("opened");
                          return attributes;
                        }

                        @Override
                        public void transportTerminated(Attributes attributes) {
                          connections.add("closed");
                        }
                      }));
  private final ServerConfig config = ServerConfig.insecure(server.uri());
  private final GrpcTransportFactory factory = GrpcTransportFactory.create(Env.system());

  @AfterEach
  void close() {
    server.close();
  }

  @Test
  void isOpenFromItsFirstUserToItsLast() {
    Events discovery = new Events();
    Events reports = new Events();
    XdsTransport ads = factory.create(config, discovery);
    LoadReportTransport lrs = factory.create(config);
    ads.open(AdsProtocol.SOTW, discovery).send(DiscoveryRequest.getDefaultInstance());
    server.awaitStream();
    XdsTransport.Stream reporting = lrs.open(reports);
    reporting.send(LoadStatsRequest.getDefaultInstance());
    FakeStream<LoadStatsRequest, LoadStatsResponse> stream = loads.awaitStream();
    assertThat(connections.all()).containsExactly("opened");

    ads.close();
    LoadStatsResponse response = LoadStatsResponse.newBuilder().setSendAllClusters(true).build();
    stream.send(response);
    reporting.requestNext();
    assertThat(reports.ofStream().next(response.toByteString()::equals))
        .as("reports go on without discovery")
        .isNotNull();

    lrs.close();
    lrs.close();
    assertThat(connections.next("closed"::equals)).isNotNull();
    assertThat(connections.all()).containsExactly("opened", "closed");
  }
}
