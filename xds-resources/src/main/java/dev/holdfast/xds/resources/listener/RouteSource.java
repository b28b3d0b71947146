// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.xds.resources.listener;

import dev.holdfast.xds.resources.route.RouteConfiguration;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Where a listener has its routes from. */
public sealed interface RouteSource {

  /** Handles both kinds. */
  <R extends @Nullable Object> R fold(
      Function<? super Rds, ? extends R> rds, Function<? super Inline, ? extends R> inline);

  /** A resource of its own. */
  record Rds(String routeConfigName) implements RouteSource {
    @Override
    public <R extends @Nullable Object> R fold(
        Function<? super Rds, ? extends R> rds, Function<? super Inline, ? extends R> inline) {
      return rds.apply(this);
    }
  }

  /** Right inside the listener. */
  record Inline(RouteConfiguration routeConfig) implements RouteSource {
    @Override
    public <R extends @Nullable Object> R fold(
        Function<? super Rds, ? extends R> rds, Function<? super Inline, ? extends R> inline) {
      return inline.apply(this);
    }
  }
}
