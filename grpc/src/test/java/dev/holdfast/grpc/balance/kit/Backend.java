// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.grpc.balance.kit;

import io.grpc.Grpc;
import io.grpc.InsecureServerCredentials;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.Server;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerServiceDefinition;
import io.grpc.Status;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** A server on this machine that answers each call with its port. */
public final class Backend {
  static final MethodDescriptor<Integer, Integer> METHOD =
      MethodDescriptor.<Integer, Integer>newBuilder()
          .setType(MethodDescriptor.MethodType.UNARY)
          .setFullMethodName("backend.Backend/WhereAmI")
          .setRequestMarshaller(new IntMarshaller())
          .setResponseMarshaller(new IntMarshaller())
          .build();

  private final Server server;
  private final int port;
  private final AtomicInteger calls = new AtomicInteger();
  private volatile @Nullable String lastAuthority;
  private volatile CountDownLatch held = new CountDownLatch(0);
  private volatile CountDownLatch released = new CountDownLatch(0);

  private Backend() throws IOException {
    server =
        Grpc.newServerBuilderForPort(0, InsecureServerCredentials.create())
            .addService(
                ServerServiceDefinition.builder("backend.Backend")
                    .addMethod(METHOD, new Handler())
                    .build())
            .build()
            .start();
    port = server.getPort();
  }

  public static Backend start() throws IOException {
    return new Backend();
  }

  public int port() {
    return port;
  }

  public int calls() {
    return calls.get();
  }

  public @Nullable String lastAuthority() {
    return lastAuthority;
  }

  /** Answers no call until {@link #release}. */
  public void hold() {
    held = new CountDownLatch(1);
    released = new CountDownLatch(1);
  }

  public void awaitHeld() throws InterruptedException {
    if (!held.await(60, TimeUnit.SECONDS)) {
      throw new AssertionError("no call came");
    }
  }

  public void release() {
    released.countDown();
  }

  /** Dies: connections are closed, and new ones refused. */
  public void stop() throws InterruptedException {
    server.shutdownNow();
    if (!server.awaitTermination(60, TimeUnit.SECONDS)) {
      throw new AssertionError("still there: " + server);
    }
  }

  private final class Handler implements ServerCallHandler<Integer, Integer> {
    @Override
    public ServerCall.Listener<Integer> startCall(
        ServerCall<Integer, Integer> call, Metadata headers) {
      calls.incrementAndGet();
      lastAuthority = call.getAuthority();
      call.request(1);
      return new ServerCall.Listener<>() {
        @Override
        public void onHalfClose() {
          held.countDown();
          try {
            released.await();
          } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
          }
          call.sendHeaders(new Metadata());
          call.sendMessage(port());
          call.close(Status.OK, new Metadata());
        }
      };
    }
  }

  private static final class IntMarshaller implements MethodDescriptor.Marshaller<Integer> {
    @Override
    public InputStream stream(Integer value) {
      return new ByteArrayInputStream(ByteBuffer.allocate(Integer.BYTES).putInt(value).array());
    }

    @Override
    public Integer parse(InputStream stream) {
      try {
        return ByteBuffer.wrap(stream.readAllBytes()).getInt();
      } catch (IOException e) {
        throw new IllegalStateException(e);
      }
    }
  }
}
