// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.store.etcd;

import static java.util.Objects.requireNonNull;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Where a state is: some members of an etcd, and a prefix that belongs to Holdfast.
 *
 * @param isTls whether connections are encrypted
 * @param endpoints at least one
 * @param prefix what all keys begin with; begins with a slash and ends with none
 */
public record EtcdPlace(boolean isTls, List<Endpoint> endpoints, String prefix) {
  /** What the text of a place begins with. */
  public static final String SCHEME = "etcd://";

  /** The same with TLS. */
  public static final String TLS_SCHEME = "etcds://";

  private static final Pattern SYNTAX =
      Pattern.compile("etcds?://([^/]+)(/[A-Za-z0-9._-]+(?:/[A-Za-z0-9._-]+)*)/?");
  private static final Pattern ENDPOINT =
      Pattern.compile("(\\[[0-9A-Fa-f:.%]+\\]|[A-Za-z0-9._-]+):([0-9]{1,5})");
  private static final int HIGHEST_PORT = 65_535;

  public EtcdPlace {
    requireNonNull(prefix, "prefix");
    endpoints = List.copyOf(endpoints);
  }

  /**
   * A member of an etcd.
   *
   * @param host a name or an address; of IPv6 without brackets
   */
  public record Endpoint(String host, int port) {
    public Endpoint {
      requireNonNull(host, "host");
    }

    @Override
    public String toString() {
      return (host.contains(":") ? "[" + host + "]" : host) + ":" + port;
    }
  }

  /** Whether a text is meant to be such a place. */
  public static boolean isOne(String text) {
    return text.startsWith(SCHEME) || text.startsWith(TLS_SCHEME);
  }

  /**
   * Reads {@code etcd://HOST:PORT[,HOST:PORT...]/PREFIX}.
   *
   * @throws IllegalArgumentException if it is none
   */
  public static EtcdPlace parse(String text) {
    Matcher place = SYNTAX.matcher(text);
    if (!place.matches()) {
      throw wrong(text);
    }
    List<Endpoint> endpoints = new ArrayList<>();
    for (String each : place.group(1).split(",", -1)) {
      Matcher endpoint = ENDPOINT.matcher(each);
      if (!endpoint.matches()) {
        throw wrong(text);
      }
      int port = Integer.parseInt(endpoint.group(2));
      if (port < 1 || port > HIGHEST_PORT) {
        throw wrong(text);
      }
      endpoints.add(new Endpoint(endpoint.group(1).replaceAll("[\\[\\]]", ""), port));
    }
    return new EtcdPlace(text.startsWith(TLS_SCHEME), endpoints, place.group(2));
  }

  private static IllegalArgumentException wrong(String text) {
    return new IllegalArgumentException(
        "'" + text + "' (expected: etcd://HOST:PORT[,HOST:PORT...]/PREFIX, or etcds:// for TLS)");
  }

  @Override
  public String toString() {
    return (isTls ? TLS_SCHEME : SCHEME)
        + String.join(",", endpoints.stream().map(Endpoint::toString).toList())
        + prefix;
  }
}
