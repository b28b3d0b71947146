// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.testkit.envoy;

import com.google.protobuf.Any;
import com.google.protobuf.Message;
import dev.holdfast.base.Env;
import dev.holdfast.testkit.ManualExecutor;
import dev.holdfast.testkit.ManualTime;
import dev.holdfast.testkit.SotwResponse;
import dev.holdfast.testkit.TypeUrls;
import io.envoyproxy.envoy.config.core.v3.Node;
import io.envoyproxy.envoy.service.discovery.v3.DeltaDiscoveryRequest;
import io.envoyproxy.envoy.service.discovery.v3.DiscoveryRequest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/** A fake Envoy in one thread, on a manual clock, whose server is the test. */
final class FakeEnvoyFixture implements AutoCloseable {
  final ManualTime time = new ManualTime();
  final List<Message> requests = new ArrayList<>();
  final FakeEnvoy envoy;
  int streams;
  private final ManualExecutor executor = new ManualExecutor();
  private final List<AdsTransport.Receiver> receivers = new ArrayList<>();
  private int nonce;

  FakeEnvoyFixture(EnvoyOptions options) {
    envoy =
        FakeEnvoy.start(
            options,
            new Env(executor, time, new SplittableRandom(1)),
            (delta, receiver) -> {
              streams++;
              receivers.add(receiver);
              return new AdsTransport.Stream() {
                @Override
                public void send(Message request) {
                  requests.add(request);
                }

                @Override
                public void cancel() {}
              };
            });
    executor.runAll();
  }

  /** Sends resources of one type in SotW. */
  void push(Message... resources) {
    String id = "n" + ++nonce;
    deliver(SotwResponse.of(TypeUrls.of(resources[0]), id, id).with(resources).build());
  }

  void deliver(Message response) {
    receivers.get(receivers.size() - 1).onResponse(response);
    executor.runAll();
  }

  void breakStream() {
    receivers.get(receivers.size() - 1).onEnd();
    executor.runAll();
  }

  void advance(Duration by) {
    time.advance(by, executor::runAll);
  }

  void settle() {
    executor.runAll();
  }

  /** Clusters and routes that send {@code a.example} to cluster {@code one}. */
  void boot() {
    push(EnvoyResources.staticCluster("one", 1001));
    push(EnvoyResources.listener("ingress", "routes"));
    push(EnvoyResources.routes("routes", EnvoyResources.host("a.example", "one")));
  }

  /** What was said so far: type, {@code ?} for a question, {@code !} for a rejection. */
  List<String> said() {
    return requests.stream().map(FakeEnvoyFixture::summary).toList();
  }

  Node introduction() {
    return requests.get(0) instanceof DiscoveryRequest sotw
        ? sotw.getNode()
        : ((DeltaDiscoveryRequest) requests.get(0)).getNode();
  }

  private static String summary(Message request) {
    if (request instanceof DiscoveryRequest sotw) {
      return summary(sotw.getTypeUrl(), sotw.getResponseNonce(), sotw.hasErrorDetail());
    }
    DeltaDiscoveryRequest delta = (DeltaDiscoveryRequest) request;
    return summary(delta.getTypeUrl(), delta.getResponseNonce(), delta.hasErrorDetail());
  }

  private static String summary(String type, String nonce, boolean rejected) {
    return type.substring(type.lastIndexOf('.') + 1)
        + (nonce.isEmpty() ? "?" : rejected ? "!" : "");
  }

  static String digest(Message resource) {
    return ReceivedResponse.digest(Any.pack(resource).getValue());
  }

  @Override
  public void close() {
    envoy.close();
  }
}
