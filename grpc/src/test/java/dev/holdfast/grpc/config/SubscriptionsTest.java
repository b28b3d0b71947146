// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.grpc.config;

import static dev.holdfast.grpc.config.Dependent.ports;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.testkit.Resources;
import io.grpc.Status;
import org.junit.jupiter.api.Test;

/** Clusters that calls hold on to. */
class SubscriptionsTest {
  @Test
  void g114ClusterThatRoutesDropStaysUntilItIsLetGo() {
    try (Dependent it = Dependent.withOneCluster()) {
      it.next();
      Subscription one = it.subscribe("c");
      Subscription two = it.subscribe("c");
      it.nothing();
      it.routes(Resources.routesTo("r", "d"));
      it.cluster(Resources.edsCluster("d")).endpoints("d", 2);
      assertThat(it.next().clusters()).containsOnlyKeys("c", "d");
      it.endpoints("c", 3);
      assertThat(ports(it.next(), "c")).isEqualTo("3");

      one.close();
      one.close();
      it.settle();
      it.nothing();
      two.close();
      it.settle();
      assertThat(it.next().clusters()).containsOnlyKeys("d");
      assertThat(it.xds.watched()).containsExactly("CDS d", "EDS d", "LDS svc", "RDS r");
    }
  }

  @Test
  void g115NothingWaitsForAClusterThatNoRouteNames() {
    try (Dependent it = Dependent.withOneCluster()) {
      it.next();
      Subscription subscription = it.subscribe("late");
      it.endpoints("c", 2);
      assertThat(it.next().clusters()).containsOnlyKeys("c");
      it.cluster(Resources.edsCluster("late")).endpoints("late", 3);
      assertThat(it.next().clusters()).containsOnlyKeys("c", "late");
      subscription.close();
      it.settle();
      assertThat(it.next().clusters()).containsOnlyKeys("c");
    }
  }

  @Test
  void whatIsHeldOutlivesAListenerThatIsGone() {
    try (Dependent it = Dependent.withOneCluster()) {
      it.next();
      Subscription subscription = it.subscribe("c");
      it.fail("LDS", "svc", Status.Code.NOT_FOUND, "does not exist").nextError();
      assertThat(it.xds.watched()).containsExactly("CDS c", "EDS c", "LDS svc");

      it.listener("r").routes(Resources.routesTo("r", "d"));
      it.cluster(Resources.edsCluster("d")).endpoints("d", 2);
      assertThat(it.next().clusters()).containsOnlyKeys("c", "d");
      subscription.close();
      it.settle();
      assertThat(it.next().clusters()).containsOnlyKeys("d");
    }
  }
}
