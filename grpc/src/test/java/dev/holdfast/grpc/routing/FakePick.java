// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.grpc.routing;

import io.grpc.CallOptions;
import io.grpc.LoadBalancer.PickSubchannelArgs;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import java.io.ByteArrayInputStream;
import java.io.InputStream;

/** A call that wants to go somewhere. */
final class FakePick extends PickSubchannelArgs {
  private static final MethodDescriptor.Marshaller<String> NONE =
      new MethodDescriptor.Marshaller<>() {
        @Override
        public InputStream stream(String value) {
          return new ByteArrayInputStream(new byte[0]);
        }

        @Override
        public String parse(InputStream stream) {
          return "";
        }
      };

  private final MethodDescriptor<String, String> method;
  private final Metadata headers;

  /**
   * @param headers names and values in turns
   */
  FakePick(String method, String... headers) {
    this.method =
        MethodDescriptor.<String, String>newBuilder()
            .setType(MethodDescriptor.MethodType.UNARY)
            .setFullMethodName(method)
            .setRequestMarshaller(NONE)
            .setResponseMarshaller(NONE)
            .build();
    this.headers = new Metadata();
    for (int i = 0; i < headers.length; i += 2) {
      this.headers.put(
          Metadata.Key.of(headers[i], Metadata.ASCII_STRING_MARSHALLER), headers[i + 1]);
    }
  }

  MethodDescriptor<String, String> method() {
    return method;
  }

  @Override
  public CallOptions getCallOptions() {
    return CallOptions.DEFAULT;
  }

  @Override
  public Metadata getHeaders() {
    return headers;
  }

  @Override
  public MethodDescriptor<?, ?> getMethodDescriptor() {
    return method;
  }
}
