// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.grpc.routing;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.base.Decoded;
import dev.holdfast.grpc.config.RoutedCall;
import dev.holdfast.grpc.config.XdsConfig;
import dev.holdfast.grpc.filter.ClientFilters;
import dev.holdfast.grpc.filter.FilterEnvironment;
import dev.holdfast.grpc.retry.TimedRetries;
import dev.holdfast.testkit.Resources;
import dev.holdfast.xds.resources.DecodeOptions;
import dev.holdfast.xds.resources.listener.HttpConnectionManager;
import dev.holdfast.xds.resources.listener.HttpFilter;
import dev.holdfast.xds.resources.listener.RouteSource;
import dev.holdfast.xds.resources.route.RouteConfiguration;
import dev.holdfast.xds.resources.route.RouteConfigurationDecoder;
import io.grpc.ClientCall;
import io.grpc.InternalConfigSelector.Result;
import io.grpc.Metadata;
import io.grpc.NameResolver.ConfigOrError;
import io.grpc.NameResolver.ServiceConfigParser;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** A router, the routes that it is given, and where calls go. The parsed terms are the raw ones. */
final class Routing {
  final FixedRandom random = new FixedRandom();
  final List<Map<String, ?>> parsed = new ArrayList<>();
  final List<String> subscribed = new ArrayList<>();
  final CallRouter router;
  private Duration maxStreamDuration = Duration.ZERO;
  private List<HttpFilter> filters = List.of();

  Routing() {
    router =
        new CallRouter(
            cluster -> {
              subscribed.add(cluster);
              return () -> subscribed.remove(cluster);
            },
            new MethodConfigs(parser()),
            new TimedRetries(
                () -> {
                  throw new AssertionError("a timer");
                }),
            filters(random),
            random);
  }

  /** Filters that need no timers. */
  static ClientFilters filters(ThreadSafeRandom random) {
    return new ClientFilters(
        FilterEnvironment.of(
            () -> {
              throw new AssertionError("a timer");
            },
            random::nextLong));
  }

  ServiceConfigParser parser() {
    return new ServiceConfigParser() {
      @Override
      public ConfigOrError parseServiceConfig(Map<String, ?> raw) {
        parsed.add(raw);
        return ConfigOrError.fromConfig(raw);
      }
    };
  }

  /** The listener's limit on the duration of calls. */
  Routing maxStreamDuration(Duration limit) {
    maxStreamDuration = limit;
    return this;
  }

  /** The listener's filters. */
  Routing filters(HttpFilter... all) {
    filters = List.of(all);
    return this;
  }

  /** Routes as JSON, without the brackets around them. */
  Routing routes(String routes) {
    return host("\"routes\": [" + routes + "]");
  }

  /** A virtual host as JSON, without its name and domains. */
  Routing host(String host) {
    router.use(config(host), () -> {});
    return this;
  }

  XdsConfig config(String host) {
    return config(host, DecodeOptions.defaults());
  }

  XdsConfig config(String host, DecodeOptions options) {
    String json =
        """
        {"name": "r", "virtual_hosts": [{"name": "h", "domains": ["*"], %s}]}"""
            .formatted(host);
    RouteConfiguration routes =
        RouteConfigurationDecoder.decode(Resources.routeConfiguration(json).toByteString(), options)
            .fold(
                Decoded.Valid::value,
                invalid -> {
                  throw new AssertionError("bad routes of a test: " + invalid.problems());
                });
    return new XdsConfig(
        new HttpConnectionManager(new RouteSource.Rds("r"), filters, maxStreamDuration),
        routes.virtualHosts().get(0),
        Map.of());
  }

  /** The cluster that a call goes to, or the text of its error. */
  String route(String method, String... headers) {
    Result result = router.selectConfig(new FakePick(method, headers));
    if (!result.getStatus().isOk()) {
      assertThat(result.getStatus().getCode()).isEqualTo(io.grpc.Status.Code.UNAVAILABLE);
      return String.valueOf(result.getStatus().getDescription());
    }
    FakeCalls calls = start(result, method);
    calls.close();
    return routed(calls).cluster();
  }

  RoutedCall routed(String method, String... headers) {
    FakeCalls calls = start(method, headers);
    calls.close();
    return routed(calls);
  }

  private static RoutedCall routed(FakeCalls calls) {
    return requireNonNull(calls.options().getOption(RoutedCall.KEY));
  }

  /** A call that is under way. */
  FakeCalls start(String method, String... headers) {
    return start(router.selectConfig(new FakePick(method, headers)), method);
  }

  static FakeCalls start(Result result, String method) {
    FakeCalls calls = new FakeCalls();
    FakePick pick = new FakePick(method);
    ClientCall<String, String> call =
        requireNonNull(result.getInterceptor())
            .interceptCall(pick.method(), pick.getCallOptions(), calls);
    call.start(new ClientCall.Listener<>() {}, new Metadata());
    return calls;
  }

  /** The terms that a call gets, as they were before parsing. */
  Object terms(String method, String... headers) {
    Result result = router.selectConfig(new FakePick(method, headers));
    assertThat(result.getStatus().isOk()).as("%s", result.getStatus()).isTrue();
    start(result, method).close();
    return result.getConfig();
  }
}
