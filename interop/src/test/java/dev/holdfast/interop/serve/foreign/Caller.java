// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.interop.serve.foreign;

/** A gRPC client that calls methods of one host by way of xDS. */
interface Caller extends AutoCloseable {
  /** Calls a method; the result is the code and the text of the answer. */
  String call(String method);

  @Override
  void close();
}
