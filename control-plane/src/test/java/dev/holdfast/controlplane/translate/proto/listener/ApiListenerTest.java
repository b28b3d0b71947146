// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.translate.proto.listener;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.base.Problems;
import dev.holdfast.controlplane.translate.proto.ConfigSources;
import dev.holdfast.xds.resources.DecodeOptions;
import dev.holdfast.xds.resources.listener.Listener;
import dev.holdfast.xds.resources.listener.ListenerDecoder;
import dev.holdfast.xds.resources.listener.RouteSource;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Listeners for gRPC clients. */
class ApiListenerTest {
  @Test
  void apiListenerRefersToRoutesByName() {
    io.envoyproxy.envoy.config.listener.v3.Listener written =
        Listeners.api("shop.example", "api/shop.example", ConfigSources.ads(Duration.ofSeconds(5)));

    Listener read =
        ListenerDecoder.decode(written.toByteString(), DecodeOptions.defaults())
            .fold(
                valid -> valid.value(),
                invalid -> {
                  throw new AssertionError(Problems.describe(invalid.problems()));
                });

    assertThat(written.getName()).isEqualTo("shop.example");
    assertThat(read)
        .isInstanceOfSatisfying(
            Listener.Api.class,
            api ->
                assertThat(api.manager().routes())
                    .isEqualTo(new RouteSource.Rds("api/shop.example")));
  }
}
