// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.server.options;

import dev.holdfast.controlplane.objects.httpproxy.Authorization;
import dev.holdfast.controlplane.objects.httpproxy.HeaderValue;
import dev.holdfast.controlplane.objects.httpproxy.HeadersPolicy;
import dev.holdfast.controlplane.objects.read.TextRule;
import dev.holdfast.controlplane.objects.read.TextRules;
import dev.holdfast.controlplane.translate.index.HeaderDefaults;
import dev.holdfast.controlplane.translate.index.Settings;
import dev.holdfast.controlplane.translate.proto.listener.EdgeOptions;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SortedSet;
import org.jspecify.annotations.Nullable;

/**
 * What one place says about the requests of all objects; null is what it does not say.
 *
 * @param rootNamespaces where HTTPProxies may have hosts
 * @param externalNameServices whether Services of type ExternalName are served
 * @param ingressHeaders whether the changes of headers also count for Ingresses
 * @param authorization the service that decides about the requests of all hosts
 */
public record TrafficOptions(
    @Nullable SortedSet<String> rootNamespaces,
    EdgeOptions.@Nullable Compression compression,
    @Nullable Boolean mergeSlashes,
    @Nullable Integer trustedHops,
    @Nullable Boolean externalNameServices,
    @Nullable HeadersPolicy requestHeaders,
    @Nullable HeadersPolicy responseHeaders,
    @Nullable Boolean ingressHeaders,
    RateLimitOptions rateLimit,
    TlsOptions tls,
    @Nullable Authorization authorization) {
  private static final TrafficOptions NONE =
      new TrafficOptions(
          null,
          null,
          null,
          null,
          null,
          null,
          null,
          null,
          RateLimitOptions.none(),
          TlsOptions.none(),
          null);

  /** Says nothing. */
  public static TrafficOptions none() {
    return NONE;
  }

  /** What this says, and for the rest what another place says. */
  TrafficOptions orElse(TrafficOptions other) {
    return new TrafficOptions(
        first(rootNamespaces, other.rootNamespaces),
        first(compression, other.compression),
        first(mergeSlashes, other.mergeSlashes),
        first(trustedHops, other.trustedHops),
        first(externalNameServices, other.externalNameServices),
        first(requestHeaders, other.requestHeaders),
        first(responseHeaders, other.responseHeaders),
        first(ingressHeaders, other.ingressHeaders),
        rateLimit.orElse(other.rateLimit),
        tls.orElse(other.tls),
        first(authorization, other.authorization));
  }

  private static <T> @Nullable T first(@Nullable T one, @Nullable T other) {
    return one == null ? other : one;
  }

  private static <T> T or(@Nullable T value, T otherwise) {
    return value == null ? otherwise : value;
  }

  /** How proxies treat requests, with defaults for what nobody says. */
  public EdgeOptions edge() {
    EdgeOptions usual = EdgeOptions.DEFAULT;
    return new EdgeOptions(
        or(mergeSlashes, usual.mergeSlashes()),
        or(compression, usual.compression()),
        or(trustedHops, usual.trustedHops()));
  }

  /** What counts for all objects, with defaults for what nobody says. */
  public Settings settings() {
    return Settings.DEFAULT
        .withRootNamespaces(or(rootNamespaces, Collections.emptySortedSet()))
        .withExternalNames(or(externalNameServices, false))
        .withRateLimit(rateLimit.complete())
        .withFallbackCertificate(tls.fallbackCertificate())
        .withBackendTls(tls.backend())
        .withAuthorization(authorization)
        .withHeaders(
            new HeaderDefaults(
                or(requestHeaders, HeadersPolicy.NONE),
                or(responseHeaders, HeadersPolicy.NONE),
                or(ingressHeaders, false)));
  }

  /**
   * @throws IllegalArgumentException if it is none
   */
  public static EdgeOptions.Compression compression(String text) {
    for (EdgeOptions.Compression each : EdgeOptions.Compression.values()) {
      if (each.name().toLowerCase(Locale.ROOT).equals(text)) {
        return each;
      }
    }
    throw new IllegalArgumentException("'" + text + "' (expected: gzip, brotli, zstd or disabled)");
  }

  /**
   * @throws IllegalArgumentException if it is none
   */
  public static int hops(String text) {
    if (!text.matches("[0-9]{1,3}")) {
      throw new IllegalArgumentException("'" + text + "' (expected: a number from 0 to 999)");
    }
    return Integer.parseInt(text);
  }

  /**
   * @throws IllegalArgumentException if it is neither true nor false
   */
  static boolean flag(String text) {
    if (!text.equals("true") && !text.equals("false")) {
      throw new IllegalArgumentException("'" + text + "' (expected: true or false)");
    }
    return text.equals("true");
  }

  /**
   * Changes of headers.
   *
   * @param set values by name
   * @param remove names between commas
   * @return null if both are absent
   * @throws IllegalArgumentException if one is not possible
   */
  static @Nullable HeadersPolicy headers(
      @Nullable Map<String, String> set, @Nullable String remove) {
    if (set == null && remove == null) {
      return null;
    }
    List<HeaderValue> values = new ArrayList<>();
    if (set != null) {
      set.forEach(
          (name, value) ->
              values.add(new HeaderValue(name(name), checked(TextRules.HEADER_VALUE, value))));
    }
    List<String> names = new ArrayList<>();
    if (remove != null) {
      for (String name : remove.split(",", -1)) {
        names.add(name(name.strip()));
      }
    }
    return new HeadersPolicy(values, names);
  }

  private static String name(String text) {
    if (text.equalsIgnoreCase("host")) {
      throw new IllegalArgumentException("'" + text + "' (expected: another header)");
    }
    return checked(TextRules.TOKEN_NAME, text);
  }

  private static String checked(TextRule rule, String text) {
    if (!rule.accepts().test(text)) {
      throw new IllegalArgumentException(rule.problem(text));
    }
    return text;
  }
}
