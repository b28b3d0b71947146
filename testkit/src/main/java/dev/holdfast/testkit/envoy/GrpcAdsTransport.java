// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.testkit.envoy;

import com.google.protobuf.Message;
import io.envoyproxy.envoy.service.discovery.v3.AggregatedDiscoveryServiceGrpc;
import io.envoyproxy.envoy.service.discovery.v3.DeltaDiscoveryRequest;
import io.envoyproxy.envoy.service.discovery.v3.DiscoveryRequest;
import io.grpc.Channel;
import io.grpc.stub.ClientCallStreamObserver;
import io.grpc.stub.ClientResponseObserver;
import io.grpc.stub.StreamObserver;
import java.util.function.Function;

/** ADS on a gRPC channel, which stays the caller's. */
public final class GrpcAdsTransport implements AdsTransport {
  private final Channel channel;

  public GrpcAdsTransport(Channel channel) {
    this.channel = channel;
  }

  @Override
  public Stream open(boolean delta, Receiver receiver) {
    var stub = AggregatedDiscoveryServiceGrpc.newStub(channel);
    return delta
        ? open(stub::deltaAggregatedResources, DeltaDiscoveryRequest.class, receiver)
        : open(stub::streamAggregatedResources, DiscoveryRequest.class, receiver);
  }

  private static <Q extends Message, S extends Message> Stream open(
      Function<StreamObserver<S>, StreamObserver<Q>> method, Class<Q> type, Receiver receiver) {
    ClientCallStreamObserver<Q> requests =
        (ClientCallStreamObserver<Q>) method.apply(new Responses<Q, S>(receiver));
    return new Stream() {
      @Override
      public void send(Message request) {
        requests.onNext(type.cast(request));
      }

      @Override
      public void cancel() {
        requests.cancel("the proxy is gone", null);
      }
    };
  }

  private static final class Responses<Q, S extends Message>
      implements ClientResponseObserver<Q, S> {
    private final Receiver receiver;

    Responses(Receiver receiver) {
      this.receiver = receiver;
    }

    @Override
    public void beforeStart(ClientCallStreamObserver<Q> requests) {}

    @Override
    public void onNext(S response) {
      receiver.onResponse(response);
    }

    @Override
    public void onError(Throwable t) {
      receiver.onEnd();
    }

    @Override
    public void onCompleted() {
      receiver.onEnd();
    }
  }
}
