// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.ads.wire;

import com.google.protobuf.ByteString;
import io.grpc.Attributes;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.ServerCall;
import io.grpc.Status;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;

/** A gRPC call that records how it is used. */
final class FakeServerCall<Q> extends ServerCall<Q, ByteString> {
  private final Attributes attributes;
  final List<String> done = new ArrayList<>();
  boolean ready = true;
  int asked;

  FakeServerCall(Executor connectionThread) {
    attributes =
        Attributes.newBuilder()
            .set(DiscoveryServices.CONNECTION_THREAD, new ConnectionThread(connectionThread))
            .build();
  }

  @Override
  public Attributes getAttributes() {
    return attributes;
  }

  @Override
  public void request(int messages) {
    asked += messages;
  }

  @Override
  public void sendHeaders(Metadata headers) {
    done.add("headers");
  }

  @Override
  public void sendMessage(ByteString message) {
    done.add("message of " + message.size());
  }

  @Override
  public void close(Status status, Metadata trailers) {
    done.add("close " + status.getCode());
  }

  @Override
  public boolean isReady() {
    return ready;
  }

  @Override
  public boolean isCancelled() {
    return false;
  }

  @Override
  public MethodDescriptor<Q, ByteString> getMethodDescriptor() {
    throw new UnsupportedOperationException();
  }
}
