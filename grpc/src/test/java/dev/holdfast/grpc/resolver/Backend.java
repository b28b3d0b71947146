// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.grpc.resolver;

import dev.holdfast.testkit.Recorder;
import dev.holdfast.testkit.TextMarshaller;
import io.grpc.HandlerRegistry;
import io.grpc.InsecureServerCredentials;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.Server;
import io.grpc.ServerCall;
import io.grpc.ServerMethodDefinition;
import io.grpc.Status;
import io.grpc.netty.shaded.io.grpc.netty.NettyServerBuilder;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Deque;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** A server on loopback that answers every call with its own name, or as the test says. */
final class Backend implements AutoCloseable {
  private final String name;
  private final Server server;
  private final Deque<Status> next = new ConcurrentLinkedDeque<>();
  private final Recorder<ServerCall<String, String>> held = new Recorder<>("call");
  private final Recorder<String> calls = new Recorder<>("call");
  private final AtomicInteger silent = new AtomicInteger();

  Backend(String name) {
    this.name = name;
    try {
      server =
          NettyServerBuilder.forAddress(
                  new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
                  InsecureServerCredentials.create())
              .fallbackHandlerRegistry(new AnyMethod())
              .build()
              .start();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  int port() {
    return server.getPort();
  }

  /** Fails the next calls, one with each status. */
  void failNext(Status... statuses) {
    for (Status status : statuses) {
      next.add(status);
    }
  }

  /** Leaves the next call unanswered; {@link #awaitHeld} has it. */
  void holdNext() {
    silent.incrementAndGet();
  }

  /** A call that was left unanswered. */
  ServerCall<String, String> awaitHeld() {
    return held.next();
  }

  /** Answers a call that was left unanswered. */
  void answer(ServerCall<String, String> call) {
    call.sendHeaders(new Metadata());
    call.sendMessage(name);
    call.close(Status.OK, new Metadata());
  }

  /** The methods that were called, in order. */
  Recorder<String> calls() {
    return calls;
  }

  @Override
  public void close() {
    server.shutdownNow();
  }

  /** A method of any service, with texts for messages. */
  static MethodDescriptor<String, String> method(String fullName) {
    return MethodDescriptor.<String, String>newBuilder()
        .setType(MethodDescriptor.MethodType.UNARY)
        .setFullMethodName(fullName)
        .setRequestMarshaller(new TextMarshaller())
        .setResponseMarshaller(new TextMarshaller())
        .build();
  }

  private final class AnyMethod extends HandlerRegistry {
    @Override
    public ServerMethodDefinition<?, ?> lookupMethod(String method, @Nullable String authority) {
      return ServerMethodDefinition.create(
          method(method),
          (call, headers) -> {
            calls.add(method);
            call.request(2);
            return new ServerCall.Listener<String>() {
              @Override
              public void onHalfClose() {
                respond(call);
              }
            };
          });
    }
  }

  private void respond(ServerCall<String, String> call) {
    Status failure = next.poll();
    if (failure != null) {
      call.close(failure, new Metadata());
    } else if (silent.getAndUpdate(left -> Math.max(0, left - 1)) > 0) {
      held.add(call);
    } else {
      answer(call);
    }
  }
}
