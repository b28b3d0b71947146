// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.store.etcd;

import dev.holdfast.store.etcd.EtcdException.Kind;
import io.etcd.jetcd.api.AuthGrpc;
import io.etcd.jetcd.api.AuthenticateRequest;
import io.etcd.jetcd.api.AuthenticateResponse;
import io.etcd.jetcd.api.CompactionRequest;
import io.etcd.jetcd.api.KVGrpc;
import io.etcd.jetcd.api.LeaseGrantRequest;
import io.etcd.jetcd.api.LeaseGrantResponse;
import io.etcd.jetcd.api.LeaseGrpc;
import io.etcd.jetcd.api.LeaseKeepAliveRequest;
import io.etcd.jetcd.api.LeaseKeepAliveResponse;
import io.etcd.jetcd.api.LeaseRevokeRequest;
import io.etcd.jetcd.api.RangeRequest;
import io.etcd.jetcd.api.RangeResponse;
import io.etcd.jetcd.api.TxnRequest;
import io.etcd.jetcd.api.TxnResponse;
import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ChannelCredentials;
import io.grpc.ClientInterceptors;
import io.grpc.ConnectivityState;
import io.grpc.Grpc;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.MetadataUtils;
import io.grpc.stub.StreamObserver;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * An etcd over gRPC. A call goes to the member that answered last; if that one does not answer, to
 * the others in turn. A keepalive is one request with one response and not a stream that lasts,
 * because such a stream can end without anybody noticing.
 */
public final class GrpcEtcd implements EtcdApi, AutoCloseable {
  private static final Duration WRITE = Duration.ofSeconds(5);

  /** Shorter than a lease, so that another member can still be asked. */
  private static final Duration ASK = Duration.ofSeconds(2);

  private static final Duration PING = Duration.ofSeconds(10);
  private static final Duration PONG = Duration.ofSeconds(3);
  private static final int LARGEST_RESPONSE = 64 << 20;
  private static final Metadata.Key<String> TOKEN =
      Metadata.Key.of("token", Metadata.ASCII_STRING_MARSHALLER);

  private final List<Member> members = new ArrayList<>();
  private final AtomicInteger current = new AtomicInteger();
  private final EtcdCredentials.@Nullable User user;

  /** Empty if none was given yet, or if the last one was refused. */
  private volatile String token = "";

  private record Member(EtcdPlace.Endpoint endpoint, ManagedChannel channel) {}

  private GrpcEtcd(EtcdPlace place, EtcdCredentials credentials) {
    ChannelCredentials channel = credentials.channel(place.isTls());
    user = credentials.readUser();
    for (EtcdPlace.Endpoint endpoint : place.endpoints()) {
      members.add(
          new Member(
              endpoint,
              Grpc.newChannelBuilderForAddress(endpoint.host(), endpoint.port(), channel)
                  .keepAliveTime(PING.toMillis(), TimeUnit.MILLISECONDS)
                  .keepAliveTimeout(PONG.toMillis(), TimeUnit.MILLISECONDS)
                  .maxInboundMessageSize(LARGEST_RESPONSE)
                  .build()));
    }
  }

  /**
   * Connects when the first call is made.
   *
   * @throws IllegalArgumentException if a file of the credentials cannot be used
   */
  public static GrpcEtcd open(EtcdPlace place, EtcdCredentials credentials) {
    return new GrpcEtcd(place, credentials);
  }

  @Override
  public CompletionStage<RangeResponse> range(RangeRequest request) {
    return new Call<>(KVGrpc.getRangeMethod(), request, ASK).start();
  }

  @Override
  public CompletionStage<TxnResponse> txn(TxnRequest request) {
    return new Call<>(KVGrpc.getTxnMethod(), request, WRITE).start();
  }

  @Override
  public CompletionStage<LeaseGrantResponse> grant(long seconds) {
    return new Call<>(
            LeaseGrpc.getLeaseGrantMethod(),
            LeaseGrantRequest.newBuilder().setTTL(seconds).build(),
            ASK)
        .start();
  }

  @Override
  public CompletionStage<LeaseKeepAliveResponse> keepAlive(long lease) {
    return new Call<>(
            LeaseGrpc.getLeaseKeepAliveMethod(),
            LeaseKeepAliveRequest.newBuilder().setID(lease).build(),
            ASK)
        .start();
  }

  @Override
  public CompletionStage<?> revoke(long lease) {
    return new Call<>(
            LeaseGrpc.getLeaseRevokeMethod(),
            LeaseRevokeRequest.newBuilder().setID(lease).build(),
            ASK)
        .start();
  }

  @Override
  public CompletionStage<?> compact(long revision) {
    return new Call<>(
            KVGrpc.getCompactMethod(),
            CompactionRequest.newBuilder().setRevision(revision).build(),
            WRITE)
        .start();
  }

  @Override
  public void close() {
    members.forEach(member -> member.channel().shutdownNow());
  }

  /** One call, at one member after the other until one answers. */
  private final class Call<Q, R> {
    private final MethodDescriptor<Q, R> method;
    private final Q request;
    private final Duration patience;
    private final CompletableFuture<R> result = new CompletableFuture<>();
    private int tried;
    private boolean isLoginRetried;

    Call(MethodDescriptor<Q, R> method, Q request, Duration patience) {
      this.method = method;
      this.request = request;
      this.patience = patience;
    }

    CompletionStage<R> start() {
      attempt();
      return result;
    }

    private void attempt() {
      int index = current.get();
      Member member = members.get(index);
      if (user != null && token.isEmpty()) {
        send(
            member,
            AuthGrpc.getAuthenticateMethod(),
            AuthenticateRequest.newBuilder()
                .setName(user.name())
                .setPassword(user.password())
                .build(),
            (AuthenticateResponse response) -> {
              token = response.getToken();
              ask(index, member);
            },
            status -> failed(index, member, status, /* mayLogIn= */ false));
      } else {
        ask(index, member);
      }
    }

    private void ask(int index, Member member) {
      send(
          member,
          method,
          request,
          result::complete,
          status -> failed(index, member, status, /* mayLogIn= */ true));
    }

    private void failed(int index, Member member, Status status, boolean mayLogIn) {
      if (mayLogIn && user != null && !isLoginRetried && EtcdErrors.isOfToken(status)) {
        isLoginRetried = true;
        token = "";
        attempt();
        return;
      }
      EtcdException error = EtcdErrors.of(member.endpoint(), status, patience);
      tried++;
      if (error.kind() == Kind.NO_ANSWER) {
        current.compareAndSet(index, (index + 1) % members.size());
        if (tried < members.size()) {
          attempt();
          return;
        }
      }
      result.completeExceptionally(error);
    }

    private <A, B> void send(
        Member member,
        MethodDescriptor<A, B> what,
        A message,
        java.util.function.Consumer<B> onResponse,
        java.util.function.Consumer<Status> onFailure) {
      ManagedChannel channel = member.channel();
      if (channel.getState(false) == ConnectivityState.TRANSIENT_FAILURE) {
        channel.resetConnectBackoff(); // whoever calls has waited long enough
      }
      String shown = token;
      Channel with = channel;
      if (!shown.isEmpty() && !what.equals(AuthGrpc.getAuthenticateMethod())) {
        Metadata headers = new Metadata();
        headers.put(TOKEN, shown);
        with =
            ClientInterceptors.intercept(
                channel, MetadataUtils.newAttachHeadersInterceptor(headers));
      }
      StreamObserver<B> observer =
          new StreamObserver<>() {
            private boolean isAnswered;

            @Override
            public void onNext(B response) {
              if (!isAnswered) {
                isAnswered = true;
                onResponse.accept(response);
              }
            }

            @Override
            public void onError(Throwable e) {
              if (!isAnswered) {
                isAnswered = true;
                onFailure.accept(Status.fromThrowable(e));
              }
            }

            @Override
            public void onCompleted() {
              if (!isAnswered) {
                isAnswered = true;
                onFailure.accept(Status.UNAVAILABLE.withDescription("ended without a response"));
              }
            }
          };
      var call =
          with.newCall(
              what,
              CallOptions.DEFAULT.withDeadlineAfter(patience.toMillis(), TimeUnit.MILLISECONDS));
      if (what.getType() == MethodDescriptor.MethodType.UNARY) {
        ClientCalls.asyncUnaryCall(call, message, observer);
      } else {
        StreamObserver<A> requests = ClientCalls.asyncBidiStreamingCall(call, observer);
        requests.onNext(message);
        requests.onCompleted();
      }
    }
  }
}
