// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.grpc.routing;

import io.grpc.Metadata;
import java.util.Iterator;
import org.jspecify.annotations.Nullable;

/** Reads one header of calls as routing sees it (gRFC A28). */
interface Headers {

  /** The values of the header, joined by commas; null if there is none. */
  @Nullable String read(Metadata headers);

  /**
   * How to read a header. Binary ones are never there. What the transport adds later is not there
   * yet, but for the content type, which is always the same.
   */
  static Headers of(String name) {
    if (name.endsWith(Metadata.BINARY_HEADER_SUFFIX)) {
      return headers -> null;
    }
    if (name.equals("content-type")) {
      return headers -> "application/grpc";
    }
    Metadata.Key<String> key;
    try {
      key = Metadata.Key.of(name, Metadata.ASCII_STRING_MARSHALLER);
    } catch (IllegalArgumentException e) { // :path and its like, which no call has
      return headers -> null;
    }
    return headers -> joined(headers, key);
  }

  private static @Nullable String joined(Metadata headers, Metadata.Key<String> key) {
    Iterable<String> all = headers.getAll(key);
    if (all == null) {
      return null;
    }
    Iterator<String> values = all.iterator();
    String first = values.next();
    if (!values.hasNext()) {
      return first;
    }
    StringBuilder joined = new StringBuilder(first);
    while (values.hasNext()) {
      joined.append(',').append(values.next());
    }
    return joined.toString();
  }
}
