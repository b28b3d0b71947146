// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.xds.client;

import com.google.protobuf.ByteString;
import dev.holdfast.base.Decoded;
import org.jspecify.annotations.Nullable;

/**
 * A kind of resource: its name on the wire and how its bytes become a value. Implementations are
 * stateless and equal by identity; use one instance per type.
 *
 * @param <T> the decoded resource; immutable, with value equality
 */
public interface ResourceType<T> {
  /** The full type URL, {@code type.googleapis.com/envoy.config.cluster.v3.Cluster}. */
  String typeUrl();

  /** The word people use: {@code LDS}, {@code RDS}, {@code CDS}, {@code EDS}. */
  String shortName();

  /** Whether a state-of-the-world response always holds everything. */
  Completeness completeness();

  /**
   * Decodes and validates one resource. An exception that escapes is contained and counts as one
   * problem of the resource.
   *
   * @param server whom it came from: some fields are only honoured from a trusted server
   */
  Decoded<T> decode(ByteString serialized, ServerConfig server);

  /**
   * The resource's name, read without decoding the rest, or null if that is not possible. Lets the
   * engine skip the decoding of resources that nobody watches or whose bytes it already has.
   */
  default @Nullable String peekName(ByteString serialized) {
    return null;
  }

  /** The type URL without its host, as metrics and xdstp names have it. */
  default String typeName() {
    return typeUrl().substring(typeUrl().lastIndexOf('/') + 1);
  }
}
