// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.translate;

import static java.util.Objects.requireNonNull;

import dev.holdfast.controlplane.translate.index.Settings;
import dev.holdfast.controlplane.translate.proto.listener.BindAddress;
import dev.holdfast.controlplane.translate.proto.listener.EdgeOptions;
import java.time.Duration;
import java.util.Collection;

/**
 * Settings that apply to all objects.
 *
 * @param http where proxies listen for plain HTTP
 * @param https where proxies listen for TLS
 * @param settings what the operator decides for all objects
 * @param edge how proxies treat all requests
 * @param initialFetchTimeout how long a proxy waits for the resources that a listener or cluster
 *     refers to before it uses the listener or cluster without them
 * @param connectTimeout how long a proxy waits for a connection to an endpoint
 * @param streamIdleTimeout after how long an inactive request is aborted
 * @param routesPerHost how many routes a host may have
 * @param vhds whether each host without TLS is a resource of its own, too, for proxies that can
 *     have it so
 */
public record TranslationOptions(
    BindAddress http,
    BindAddress https,
    Settings settings,
    EdgeOptions edge,
    Duration initialFetchTimeout,
    Duration connectTimeout,
    Duration streamIdleTimeout,
    int routesPerHost,
    boolean vhds) {
  /** Repeated includes multiply the routes; few authors mean more than this. */
  private static final int ROUTES_PER_HOST = 10_000;

  public TranslationOptions {
    requireNonNull(http, "http");
    requireNonNull(https, "https");
    requireNonNull(settings, "settings");
    requireNonNull(edge, "edge");
    requireNonNull(initialFetchTimeout, "initialFetchTimeout");
    requireNonNull(connectTimeout, "connectTimeout");
    requireNonNull(streamIdleTimeout, "streamIdleTimeout");
  }

  /** Listens on ports 8080 and 8443 of all addresses. */
  public static TranslationOptions defaults() {
    return new TranslationOptions(
        new BindAddress("0.0.0.0", 8080),
        new BindAddress("0.0.0.0", 8443),
        Settings.DEFAULT,
        EdgeOptions.DEFAULT,
        Duration.ofSeconds(15),
        Duration.ofSeconds(2),
        Duration.ofMinutes(5),
        ROUTES_PER_HOST,
        /* vhds= */ false);
  }

  /** A copy with other listening addresses. */
  public TranslationOptions listeningOn(BindAddress newHttp, BindAddress newHttps) {
    return new TranslationOptions(
        newHttp,
        newHttps,
        settings,
        edge,
        initialFetchTimeout,
        connectTimeout,
        streamIdleTimeout,
        routesPerHost,
        vhds);
  }

  /** A copy for other ingress classes; none for the default ones. */
  public TranslationOptions forClasses(Collection<String> classes) {
    return with(settings.forClasses(classes));
  }

  /** A copy with other namespaces in which HTTPProxies may have hosts; none for all. */
  public TranslationOptions withRootNamespaces(Collection<String> namespaces) {
    return with(settings.withRootNamespaces(namespaces));
  }

  /** A copy with other settings. */
  public TranslationOptions with(Settings newSettings) {
    return new TranslationOptions(
        http,
        https,
        newSettings,
        edge,
        initialFetchTimeout,
        connectTimeout,
        streamIdleTimeout,
        routesPerHost,
        vhds);
  }

  /** A copy that treats requests in another way. */
  public TranslationOptions with(EdgeOptions newEdge) {
    return new TranslationOptions(
        http,
        https,
        settings,
        newEdge,
        initialFetchTimeout,
        connectTimeout,
        streamIdleTimeout,
        routesPerHost,
        vhds);
  }

  /** A copy for hosts with so many routes. */
  public TranslationOptions withRoutesPerHost(int most) {
    return new TranslationOptions(
        http,
        https,
        settings,
        edge,
        initialFetchTimeout,
        connectTimeout,
        streamIdleTimeout,
        most,
        vhds);
  }

  /** A copy in which each host without TLS is a resource of its own, too, or is not. */
  public TranslationOptions withVhds(boolean offered) {
    return new TranslationOptions(
        http,
        https,
        settings,
        edge,
        initialFetchTimeout,
        connectTimeout,
        streamIdleTimeout,
        routesPerHost,
        offered);
  }
}
