// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.interop;

import dev.holdfast.testkit.FakeAdsServer;
import dev.holdfast.testkit.FakeStream;
import io.envoyproxy.envoy.service.discovery.v3.DeltaDiscoveryRequest;
import io.envoyproxy.envoy.service.discovery.v3.DeltaDiscoveryResponse;
import io.envoyproxy.envoy.service.discovery.v3.DiscoveryRequest;
import io.envoyproxy.envoy.service.discovery.v3.DiscoveryResponse;
import io.grpc.Status;

/** A server's end of one stream, whichever variant of the protocol is spoken on it. */
interface AdsScript {
  /** Waits until the client has asked for a resource. */
  void awaitSubscription(String typeUrl, String name);

  /** Sends and waits for the answer: empty for an ACK, else the text of the NACK. */
  String reply(Reply reply);

  void close(Status status);

  /** Waits until the client has ended the stream. */
  void awaitEnd();

  /** The next stream that the client opens. */
  static AdsScript next(FakeAdsServer server, boolean delta) {
    return delta ? new Delta(server.awaitDeltaStream()) : new Sotw(server.awaitStream());
  }

  /** State of the world. */
  final class Sotw implements AdsScript {
    private final FakeStream<DiscoveryRequest, DiscoveryResponse> stream;
    private int nonce;

    private Sotw(FakeStream<DiscoveryRequest, DiscoveryResponse> stream) {
      this.stream = stream;
    }

    @Override
    public void awaitSubscription(String typeUrl, String name) {
      stream.awaitRequest(
          request ->
              request.getTypeUrl().equals(typeUrl)
                  && request.getResourceNamesList().contains(name));
    }

    @Override
    public String reply(Reply reply) {
      String nonced = "n" + ++nonce;
      stream.send(reply.sotw(nonced));
      return stream
          .awaitRequest(request -> request.getResponseNonce().equals(nonced))
          .getErrorDetail()
          .getMessage();
    }

    @Override
    public void close(Status status) {
      stream.close(status);
    }

    @Override
    public void awaitEnd() {
      stream.awaitEnd();
    }
  }

  /** Increments. */
  final class Delta implements AdsScript {
    private final FakeStream<DeltaDiscoveryRequest, DeltaDiscoveryResponse> stream;
    private int nonce;

    private Delta(FakeStream<DeltaDiscoveryRequest, DeltaDiscoveryResponse> stream) {
      this.stream = stream;
    }

    @Override
    public void awaitSubscription(String typeUrl, String name) {
      stream.awaitRequest(
          request ->
              request.getTypeUrl().equals(typeUrl)
                  && request.getResourceNamesSubscribeList().contains(name));
    }

    @Override
    public String reply(Reply reply) {
      String nonced = "n" + ++nonce;
      stream.send(reply.delta(nonced));
      return stream
          .awaitRequest(request -> request.getResponseNonce().equals(nonced))
          .getErrorDetail()
          .getMessage();
    }

    @Override
    public void close(Status status) {
      stream.close(status);
    }

    @Override
    public void awaitEnd() {
      stream.awaitEnd();
    }
  }
}
