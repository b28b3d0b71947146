// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.interop.dataplane;

import com.google.common.util.concurrent.ListenableFuture;
import dev.holdfast.testkit.TextMarshaller;
import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ClientInterceptors;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.MetadataUtils;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;

/** Calls, and how they end. */
final class Rpc {
  static final String METHOD = "test.Shop/Who";

  private Rpc() {}

  /**
   * @param backend which server answered; empty if none did
   */
  record Outcome(Status status, String backend) {
    Status.Code code() {
      return status.getCode();
    }

    String text() {
      return String.valueOf(status.getDescription());
    }

    boolean isOk() {
      return status.isOk();
    }
  }

  static MethodDescriptor<String, String> method(String fullName) {
    return MethodDescriptor.newBuilder(new TextMarshaller(), new TextMarshaller())
        .setType(MethodDescriptor.MethodType.UNARY)
        .setFullMethodName(fullName)
        .build();
  }

  static Outcome call(Channel channel) {
    return call(channel, METHOD, new Metadata());
  }

  static Outcome call(Channel channel, String method) {
    return call(channel, method, new Metadata());
  }

  static Outcome call(Channel channel, String method, Metadata headers) {
    return call(channel, method, headers, CallOptions.DEFAULT);
  }

  static Outcome call(Channel channel, String method, Metadata headers, CallOptions options) {
    CallOptions bounded =
        options.getDeadline() == null ? options.withDeadlineAfter(40, TimeUnit.SECONDS) : options;
    try {
      return new Outcome(
          Status.OK,
          ClientCalls.blockingUnaryCall(
              ClientInterceptors.intercept(
                  channel, MetadataUtils.newAttachHeadersInterceptor(headers)),
              method(method),
              bounded,
              ""));
    } catch (StatusRuntimeException e) {
      return new Outcome(e.getStatus(), "");
    }
  }

  /** Begins a call. */
  static ListenableFuture<String> begin(Channel channel) {
    return ClientCalls.futureUnaryCall(
        channel.newCall(
            method(METHOD), CallOptions.DEFAULT.withDeadlineAfter(40, TimeUnit.SECONDS)),
        "");
  }

  /** Names and values in turn. */
  static Metadata headers(String... namesAndValues) {
    Metadata headers = new Metadata();
    for (int i = 0; i < namesAndValues.length; i += 2) {
      headers.put(
          Metadata.Key.of(namesAndValues[i], Metadata.ASCII_STRING_MARSHALLER),
          namesAndValues[i + 1]);
    }
    return headers;
  }

  /** Calls that many times; how often who answered, with {@code failed} for nobody. */
  static Map<String, Integer> share(Channel channel, int times) {
    Map<String, Integer> share = new TreeMap<>();
    for (int i = 0; i < times; i++) {
      Outcome outcome = call(channel);
      share.merge(outcome.isOk() ? outcome.backend() : "failed", 1, Integer::sum);
    }
    return share;
  }
}
