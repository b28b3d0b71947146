// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.grpc.security;

/** What secures the connections to the endpoints of a cluster. */
public sealed interface ConnectionSecurity {

  /** The credentials of the channel, or what these have for clusters that ask for nothing. */
  record OfChannel() implements ConnectionSecurity {}

  /** What the cluster asks for. */
  record Tls(ClusterTls tls) implements ConnectionSecurity {}

  /**
   * Nothing that would do: there must be no connection.
   *
   * @param why a text about the cluster that does not name it
   */
  record Refused(String why) implements ConnectionSecurity {}
}
