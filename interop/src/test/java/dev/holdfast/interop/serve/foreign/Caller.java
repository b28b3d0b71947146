// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.interop.serve.foreign;

/** A gRPC client that calls methods of one host by way of xDS. */
public interface Caller extends AutoCloseable {
  /**
   * Calls a method; the result is the code and the text of the answer.
   *
   * @param method its path; another language's client also reads headers behind it, {@code
   *     NAME=VALUE}, and tells of cookies that come back
   */
  String call(String method);

  @Override
  void close();
}
