// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.grpc.filter;

import dev.holdfast.xds.resources.filter.FilterConfig;
import dev.holdfast.xds.resources.filter.FilterOverride;
import dev.holdfast.xds.resources.listener.HttpFilter;
import io.grpc.ClientInterceptor;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Makes the filters of one channel, when its routes change: calls find them ready. */
public final class ClientFilters {
  private final FilterEnvironment environment;

  public ClientFilters(FilterEnvironment environment) {
    this.environment = environment;
  }

  /**
   * What the calls of one route to one of its clusters pass; null if nothing would happen to them.
   *
   * @param filters those of the listener
   * @param overrides from the most to the least specific: those of the cluster, of the route, and
   *     of the virtual host (gRFC A39)
   * @param timeout of calls; zero for none
   */
  public @Nullable FilterChain chain(
      List<HttpFilter> filters, List<Map<String, FilterOverride>> overrides, Duration timeout) {
    List<ClientInterceptor> interceptors = new ArrayList<>();
    List<SessionFilter> sessions = new ArrayList<>();
    for (HttpFilter filter : filters) {
      FilterConfig config = effective(filter, overrides);
      if (config instanceof FilterConfig.StatefulSession session && session.cookie() != null) {
        sessions.add(new SessionFilter(session.cookie()));
      } else if (config != null) {
        config.accept(new Interceptors(filter.name(), timeout)).ifPresent(interceptors::add);
      }
    }
    return interceptors.isEmpty() && sessions.isEmpty()
        ? null
        : new FilterChain(interceptors, sessions);
  }

  /** What a filter is to do for these calls; null for nothing. */
  private static @Nullable FilterConfig effective(
      HttpFilter filter, List<Map<String, FilterOverride>> overrides) {
    for (Map<String, FilterOverride> level : overrides) {
      FilterOverride override = level.get(filter.name());
      if (override != null) {
        FilterConfig config = override.config();
        // An override for a filter of another kind means another listener, which is yet to come.
        if (config == null || config.getClass() == filter.config().getClass()) {
          return config;
        }
        break;
      }
    }
    return filter.disabled() ? null : filter.config();
  }

  /** Empty for a filter that does nothing on this side, or not with this configuration. */
  private final class Interceptors implements FilterConfig.Visitor<Optional<ClientInterceptor>> {
    private final String name;
    private final Duration timeout;

    Interceptors(String name, Duration timeout) {
      this.name = name;
      this.timeout = timeout;
    }

    @Override
    public Optional<ClientInterceptor> router(FilterConfig.Router config) {
      return Optional.empty(); // the routes themselves
    }

    @Override
    public Optional<ClientInterceptor> fault(FilterConfig.Fault config) {
      FaultRules rules = FaultRules.of(config, name);
      return rules == null
          ? Optional.empty()
          : Optional.of(new FaultInterceptor(rules, environment, timeout));
    }

    @Override
    public Optional<ClientInterceptor> statefulSession(FilterConfig.StatefulSession config) {
      return Optional.empty(); // part of routing: it decides on the cluster
    }

    @Override
    public Optional<ClientInterceptor> forServers(FilterConfig.ForServers config) {
      return Optional.empty();
    }
  }
}
