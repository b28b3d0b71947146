// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.grpc.config;

import static java.util.Objects.requireNonNull;

import dev.holdfast.xds.resources.listener.HttpConnectionManager;
import dev.holdfast.xds.resources.listener.Listener;
import dev.holdfast.xds.resources.listener.RouteSource;
import dev.holdfast.xds.resources.route.RouteConfiguration;
import dev.holdfast.xds.resources.route.VirtualHost;
import io.grpc.StatusOr;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Watches a listener and the routes that it names. Only used from the loop. */
final class RouteWatch {
  private final Dependencies dependencies;
  private final DependencyManager.Target target;
  private final Runnable onChange;
  private @Nullable Slot<Listener> listener;
  private @Nullable Slot<RouteConfiguration> routeConfiguration;
  private @Nullable StatusOr<Routes> wanted;
  private @Nullable Routes last;

  RouteWatch(Dependencies dependencies, DependencyManager.Target target, Runnable onChange) {
    this.dependencies = dependencies;
    this.target = target;
    this.onChange = onChange;
  }

  void start() {
    listener =
        new Slot<>(
            dependencies,
            dependencies.types().listener(),
            target.listener(),
            this::listenerChanged);
  }

  /** The routes that the control plane wants, or why there are none; null if not known yet. */
  @Nullable StatusOr<Routes> wanted() {
    return wanted;
  }

  /** What is amiss although the routes stay in use. */
  List<AmbientError> ambient() {
    List<AmbientError> ambient = new ArrayList<>(2);
    if (listener != null && listener.ambient() != null) {
      ambient.add(listener.ambient());
    }
    if (routeConfiguration != null && routeConfiguration.ambient() != null) {
      ambient.add(routeConfiguration.ambient());
    }
    return ambient;
  }

  void close() {
    if (listener != null) {
      listener.close();
    }
    if (routeConfiguration != null) {
      routeConfiguration.close();
    }
  }

  private void listenerChanged() {
    HttpConnectionManager manager = manager();
    watchRoutes(
        manager != null && manager.routes() instanceof RouteSource.Rds rds
            ? rds.routeConfigName()
            : null);
    changed();
  }

  private @Nullable HttpConnectionManager manager() {
    return requireNonNull(listener).value() instanceof Listener.Api api ? api.manager() : null;
  }

  private void watchRoutes(@Nullable String name) {
    Slot<RouteConfiguration> before = routeConfiguration;
    if (Objects.equals(name, before == null ? null : before.name())) {
      return;
    }
    if (before != null && name != null) {
      before.closeForReplacement();
    } else if (before != null) {
      before.close();
    }
    routeConfiguration =
        name == null
            ? null
            : new Slot<>(
                dependencies, dependencies.types().routeConfiguration(), name, this::changed);
  }

  private void changed() {
    wanted = evaluate();
    if (wanted != null && wanted.hasValue()) {
      last = wanted.getValue();
    }
    onChange.run();
  }

  private @Nullable StatusOr<Routes> evaluate() {
    StatusOr<Listener> answer = requireNonNull(listener).answer();
    if (answer == null) {
      return null;
    }
    if (!answer.hasValue()) {
      return StatusOr.fromStatus(answer.getStatus());
    }
    HttpConnectionManager manager = manager();
    if (manager == null) {
      return failure(
          listenerText() + ": a listener for servers (expected: one with an api_listener)");
    }
    if (manager.routes() instanceof RouteSource.Inline inline) {
      return evaluate(manager, inline.routeConfig(), listenerText());
    }
    Slot<RouteConfiguration> rds = requireNonNull(routeConfiguration);
    StatusOr<RouteConfiguration> routes = rds.answer();
    if (routes == null) {
      return null;
    }
    return routes.hasValue()
        ? evaluate(manager, routes.getValue(), "RDS resource " + rds.name())
        : StatusOr.fromStatus(routes.getStatus());
  }

  private StatusOr<Routes> evaluate(
      HttpConnectionManager manager, RouteConfiguration routes, String where) {
    VirtualHost host = VirtualHostSearch.find(routes, target.authority());
    if (host == null) {
      return failure(
          where
              + ": no virtual host for "
              + target.authority()
              + " (expected: one with a domain that fits it, or *)");
    }
    Routes found = Routes.of(manager, host);
    return StatusOr.fromValue(last == null ? found : found.reusing(last));
  }

  private String listenerText() {
    return "LDS resource " + target.listener();
  }

  private StatusOr<Routes> failure(String text) {
    return StatusOr.fromStatus(dependencies.texts().unavailable(text));
  }
}
