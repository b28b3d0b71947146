// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.xds.client.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.xds.client.Resource;
import io.grpc.Status;
import org.junit.jupiter.api.Test;

/** When two views are the same to a watcher. */
class ViewTest {
  private static final Status GONE = Status.NOT_FOUND.withDescription("gone");

  @Test
  void statusesAreComparedByCodeAndText() {
    assertThat(View.same(null, null)).isTrue();
    assertThat(View.same(GONE, null)).isFalse();
    assertThat(View.same(null, GONE)).isFalse();
    assertThat(View.same(GONE, Status.NOT_FOUND.withDescription("gone"))).isTrue();
    assertThat(View.same(GONE, Status.NOT_FOUND.withDescription("away"))).isFalse();
    assertThat(View.same(GONE, Status.UNAVAILABLE.withDescription("gone"))).isFalse();
    assertThat(View.same(GONE, Status.NOT_FOUND)).isFalse();
    assertThat(View.same(GONE, GONE.withCause(new IllegalStateException()))).isTrue();
  }

  @Test
  void resourcesAreComparedByTheirValueObject() {
    Object value = new Object();
    View<Object> view = View.resource(new Resource<>("foo", "1", value), null);

    assertThat(view.sameResource(View.resource(new Resource<>("foo", "2", value), GONE))).isTrue();
    assertThat(view.sameResource(View.resource(new Resource<>("foo", "1", new Object()), null)))
        .isFalse();
    assertThat(view.sameResource(View.error(GONE))).isFalse();
    assertThat(View.<Object>nothing().sameResource(View.nothing())).isFalse();
  }

  @Test
  void nothingIsNeitherAResourceNorAnError() {
    assertThat(View.nothing().isNothing()).isTrue();
    assertThat(View.error(GONE).isNothing()).isFalse();
    assertThat(View.resource(new Resource<>("foo", "1", "one"), null).isNothing()).isFalse();
  }
}
