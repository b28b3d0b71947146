// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.benchmarks.client;

/** Where a request of each variant of the protocol has the fields that a server looks at. */
public enum Protocol {
  SOTW(/* names= */ 3, /* responseNonce= */ 5, /* errorDetail= */ 6),
  DELTA(/* names= */ 3, /* responseNonce= */ 6, /* errorDetail= */ 7);

  final int names;
  final int responseNonce;
  final int errorDetail;

  Protocol(int names, int responseNonce, int errorDetail) {
    this.names = names;
    this.responseNonce = responseNonce;
    this.errorDetail = errorDetail;
  }
}
