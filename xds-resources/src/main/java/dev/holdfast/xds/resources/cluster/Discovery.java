// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.xds.resources.cluster;

import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Where the endpoints of a cluster come from. */
public sealed interface Discovery {

  /** Handles all kinds. */
  <R extends @Nullable Object> R fold(
      Function<? super Eds, ? extends R> eds,
      Function<? super LogicalDns, ? extends R> logicalDns,
      Function<? super Aggregate, ? extends R> aggregate);

  /** A ClusterLoadAssignment of the given name. */
  record Eds(String serviceName) implements Discovery {
    @Override
    public <R extends @Nullable Object> R fold(
        Function<? super Eds, ? extends R> eds,
        Function<? super LogicalDns, ? extends R> logicalDns,
        Function<? super Aggregate, ? extends R> aggregate) {
      return eds.apply(this);
    }
  }

  /** What DNS says of a host. */
  record LogicalDns(String host, int port) implements Discovery {
    /** The form in which it is resolved, and sent as a rewritten authority (gRFC A81). */
    public String hostAndPort() {
      return host + ":" + port;
    }

    @Override
    public <R extends @Nullable Object> R fold(
        Function<? super Eds, ? extends R> eds,
        Function<? super LogicalDns, ? extends R> logicalDns,
        Function<? super Aggregate, ? extends R> aggregate) {
      return logicalDns.apply(this);
    }
  }

  /** Other clusters, the preferred ones first; may not be free of cycles. */
  record Aggregate(List<String> clusters) implements Discovery {
    public Aggregate {
      clusters = List.copyOf(clusters);
    }

    @Override
    public <R extends @Nullable Object> R fold(
        Function<? super Eds, ? extends R> eds,
        Function<? super LogicalDns, ? extends R> logicalDns,
        Function<? super Aggregate, ? extends R> aggregate) {
      return aggregate.apply(this);
    }
  }
}
