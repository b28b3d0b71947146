// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.interop.dataplane;

import com.google.rpc.Status;
import dev.holdfast.testkit.TypeUrls;
import io.envoyproxy.envoy.service.discovery.v3.AggregatedDiscoveryServiceGrpc.AggregatedDiscoveryServiceImplBase;
import io.envoyproxy.envoy.service.discovery.v3.DeltaDiscoveryRequest;
import io.envoyproxy.envoy.service.discovery.v3.DeltaDiscoveryResponse;
import io.envoyproxy.envoy.service.discovery.v3.DiscoveryRequest;
import io.envoyproxy.envoy.service.discovery.v3.DiscoveryResponse;
import io.envoyproxy.envoy.service.discovery.v3.Resource;
import io.envoyproxy.envoy.service.discovery.v3.ResourceError;
import io.envoyproxy.envoy.service.discovery.v3.ResourceName;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;

/** Both variants of the protocol, for {@link Ads}. */
final class AdsService extends AggregatedDiscoveryServiceImplBase {
  private final Ads ads;

  AdsService(Ads ads) {
    this.ads = ads;
  }

  @Override
  public StreamObserver<DiscoveryRequest> streamAggregatedResources(
      StreamObserver<DiscoveryResponse> responses) {
    return open(new Sotw(responses));
  }

  @Override
  public StreamObserver<DeltaDiscoveryRequest> deltaAggregatedResources(
      StreamObserver<DeltaDiscoveryResponse> responses) {
    return open(new Delta(responses));
  }

  private <Q, S> StreamObserver<Q> open(Base<Q, S> stream) {
    ads.opened(stream);
    return stream;
  }

  private static ResourceError error(String name, Status status) {
    return ResourceError.newBuilder()
        .setResourceName(ResourceName.newBuilder().setName(name))
        .setErrorDetail(status)
        .build();
  }

  private abstract class Base<Q, S> implements AdsStream, StreamObserver<Q> {
    final ServerCallStreamObserver<S> responses;
    private volatile boolean ended;
    final Map<String, Set<String>> subscribed = new ConcurrentHashMap<>();

    Base(StreamObserver<S> responses) {
      this.responses = (ServerCallStreamObserver<S>) responses;
      this.responses.setOnCancelHandler(() -> ads.ended(this));
    }

    /** Of these names, those that were asked for. */
    Set<String> wanted(String type, Set<String> names) {
      Set<String> wanted = new TreeSet<>(subscribed.getOrDefault(type, Set.of()));
      wanted.retainAll(names);
      return wanted;
    }

    void send(S response) {
      if (!ended && !responses.isCancelled()) {
        responses.onNext(response);
      }
    }

    @Override
    public void end(io.grpc.Status status) {
      ended = true;
      responses.onError(status.asRuntimeException());
    }

    @Override
    public void onError(Throwable t) {
      ads.ended(this);
    }

    @Override
    public void onCompleted() {
      ads.ended(this);
      if (!ended) {
        responses.onCompleted();
      }
    }
  }

  private final class Sotw extends Base<DiscoveryRequest, DiscoveryResponse> {
    Sotw(StreamObserver<DiscoveryResponse> responses) {
      super(responses);
    }

    @Override
    public void onNext(DiscoveryRequest request) {
      if (request.hasErrorDetail()) {
        ads.refused(request.getErrorDetail().getMessage());
      }
      Set<String> names = Set.copyOf(request.getResourceNamesList());
      Set<String> before = subscribed.put(request.getTypeUrl(), names);
      Set<String> added = new HashSet<>(names);
      added.removeAll(before == null ? Set.of() : before);
      if (!added.isEmpty()) {
        ads.subscribed(this, request.getTypeUrl(), added);
      }
    }

    @Override
    public void tell(String type, String version, Set<String> changed, Known known) {
      Set<String> all = subscribed.getOrDefault(type, Set.of());
      Set<String> named = wanted(type, changed);
      boolean whole = type.equals(TypeUrls.LISTENER) || type.equals(TypeUrls.CLUSTER);
      DiscoveryResponse.Builder response =
          DiscoveryResponse.newBuilder()
              .setTypeUrl(type)
              .setVersionInfo(version)
              .setNonce("n" + version);
      new TreeSet<>(whole ? all : named)
          .forEach(
              name -> {
                if (known.errors().containsKey(name)) {
                  response.addResourceErrors(error(name, known.errors().get(name)));
                } else if (known.resources().containsKey(name)) {
                  response.addResources(known.resources().get(name));
                }
              });
      boolean says =
          whole
              ? named.stream().anyMatch(known::knows)
              : response.getResourcesCount() + response.getResourceErrorsCount() > 0;
      if (says) {
        send(response.build());
      }
    }
  }

  private final class Delta extends Base<DeltaDiscoveryRequest, DeltaDiscoveryResponse> {
    Delta(StreamObserver<DeltaDiscoveryResponse> responses) {
      super(responses);
    }

    @Override
    public void onNext(DeltaDiscoveryRequest request) {
      if (request.hasErrorDetail()) {
        ads.refused(request.getErrorDetail().getMessage());
      }
      Set<String> names =
          subscribed.computeIfAbsent(request.getTypeUrl(), t -> ConcurrentHashMap.newKeySet());
      request.getResourceNamesUnsubscribeList().forEach(names::remove);
      Set<String> added = new HashSet<>(request.getResourceNamesSubscribeList());
      names.addAll(added);
      if (!added.isEmpty()) {
        ads.subscribed(this, request.getTypeUrl(), added);
      }
    }

    @Override
    public void tell(String type, String version, Set<String> changed, Known known) {
      DeltaDiscoveryResponse.Builder response =
          DeltaDiscoveryResponse.newBuilder()
              .setTypeUrl(type)
              .setSystemVersionInfo(version)
              .setNonce("n" + version);
      Set<String> named = wanted(type, changed);
      for (String name : named) {
        if (known.errors().containsKey(name)) {
          response.addResourceErrors(error(name, known.errors().get(name)));
        } else if (known.resources().containsKey(name)) {
          response.addResources(
              Resource.newBuilder()
                  .setName(name)
                  .setVersion(version)
                  .setResource(known.resources().get(name)));
        } else if (known.removed().contains(name)) {
          response.addRemovedResources(name);
        }
      }
      if (named.stream().anyMatch(known::knows)) {
        send(response.build());
      }
    }
  }
}
