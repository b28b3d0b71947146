// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.translate;

import static java.util.Objects.requireNonNull;

import dev.holdfast.controlplane.translate.proto.listener.BindAddress;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * What is the same for all objects.
 *
 * @param http where the proxies listen for plain HTTP
 * @param https where the proxies listen for TLS
 * @param ingressClass which objects are for us; null for those that name none, or {@code holdfast}
 *     or {@code contour}
 * @param initialFetchTimeout how long a proxy waits for what a listener or cluster names before it
 *     uses it without
 * @param connectTimeout how long a proxy waits for a connection to an endpoint
 * @param streamIdleTimeout after which a request on which nothing moves is given up
 */
public record TranslationOptions(
    BindAddress http,
    BindAddress https,
    @Nullable String ingressClass,
    Duration initialFetchTimeout,
    Duration connectTimeout,
    Duration streamIdleTimeout) {
  public TranslationOptions {
    requireNonNull(http, "http");
    requireNonNull(https, "https");
    requireNonNull(initialFetchTimeout, "initialFetchTimeout");
    requireNonNull(connectTimeout, "connectTimeout");
    requireNonNull(streamIdleTimeout, "streamIdleTimeout");
  }

  /** On ports 8080 and 8443 of all addresses. */
  public static TranslationOptions defaults() {
    return new TranslationOptions(
        new BindAddress("0.0.0.0", 8080),
        new BindAddress("0.0.0.0", 8443),
        null,
        Duration.ofSeconds(15),
        Duration.ofSeconds(2),
        Duration.ofMinutes(5));
  }

  /** The same with other places to listen. */
  public TranslationOptions listeningOn(BindAddress newHttp, BindAddress newHttps) {
    return new TranslationOptions(
        newHttp, newHttps, ingressClass, initialFetchTimeout, connectTimeout, streamIdleTimeout);
  }

  /** The same for objects of another class. */
  public TranslationOptions forClass(@Nullable String newIngressClass) {
    return new TranslationOptions(
        http, https, newIngressClass, initialFetchTimeout, connectTimeout, streamIdleTimeout);
  }
}
