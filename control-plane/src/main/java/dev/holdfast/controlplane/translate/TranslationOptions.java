// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.translate;

import static java.util.Objects.requireNonNull;

import dev.holdfast.controlplane.translate.proto.listener.BindAddress;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Settings that apply to all objects.
 *
 * @param http where proxies listen for plain HTTP
 * @param https where proxies listen for TLS
 * @param ingressClass the class of the objects to translate; null for objects that name no class,
 *     or {@code holdfast} or {@code contour}
 * @param initialFetchTimeout how long a proxy waits for the resources that a listener or cluster
 *     refers to before it uses the listener or cluster without them
 * @param connectTimeout how long a proxy waits for a connection to an endpoint
 * @param streamIdleTimeout after how long an inactive request is aborted
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

  /** Listens on ports 8080 and 8443 of all addresses. */
  public static TranslationOptions defaults() {
    return new TranslationOptions(
        new BindAddress("0.0.0.0", 8080),
        new BindAddress("0.0.0.0", 8443),
        null,
        Duration.ofSeconds(15),
        Duration.ofSeconds(2),
        Duration.ofMinutes(5));
  }

  /** A copy with other listening addresses. */
  public TranslationOptions listeningOn(BindAddress newHttp, BindAddress newHttps) {
    return new TranslationOptions(
        newHttp, newHttps, ingressClass, initialFetchTimeout, connectTimeout, streamIdleTimeout);
  }

  /** A copy for another ingress class. */
  public TranslationOptions forClass(@Nullable String newIngressClass) {
    return new TranslationOptions(
        http, https, newIngressClass, initialFetchTimeout, connectTimeout, streamIdleTimeout);
  }
}
