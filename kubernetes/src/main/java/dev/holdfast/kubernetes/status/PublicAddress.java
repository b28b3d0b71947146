// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.kubernetes.status;

import dev.holdfast.config.Mapping;
import dev.holdfast.config.ObjectKey;
import dev.holdfast.config.Value;
import dev.holdfast.kubernetes.api.Json;
import dev.holdfast.kubernetes.source.KnownObject;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Where clients reach the proxies, for {@code status.loadBalancer} of hosts: tools that make DNS
 * records read it there.
 *
 * @param addresses fixed ones, IP addresses or host names
 * @param service the Service in front of the proxies, whose own addresses count; null for none
 */
public record PublicAddress(List<String> addresses, @Nullable ObjectKey service) {
  /** Nothing is written. */
  public static final PublicAddress NONE = new PublicAddress(List.of(), null);

  private static final String SERVICE = "service:";
  private static final Pattern NAME = Pattern.compile("[a-z0-9]([-.a-z0-9]{0,251}[a-z0-9])?");
  private static final Pattern IPV4 = Pattern.compile("[0-9]{1,3}(\\.[0-9]{1,3}){3}");
  private static final Pattern IPV6 = Pattern.compile("[0-9a-fA-F:.]*:[0-9a-fA-F:.]*");

  public PublicAddress {
    addresses = List.copyOf(addresses);
  }

  /**
   * Reads {@code service:NAMESPACE/NAME}, or addresses that are separated by commas.
   *
   * @throws IllegalArgumentException if the text is neither
   */
  public static PublicAddress parse(String text) {
    if (text.startsWith(SERVICE)) {
      String[] names = text.substring(SERVICE.length()).split("/", -1);
      if (names.length != 2
          || !NAME.matcher(names[0]).matches()
          || !NAME.matcher(names[1]).matches()) {
        throw new IllegalArgumentException("'" + text + "' (expected: service:NAMESPACE/NAME)");
      }
      return new PublicAddress(List.of(), new ObjectKey("Service", names[0], names[1]));
    }
    List<String> addresses = new ArrayList<>();
    for (String each : text.split(",", -1)) {
      String address = each.strip();
      if (!NAME.matcher(address).matches() && !IPV6.matcher(address).matches()) {
        throw new IllegalArgumentException(
            "'"
                + each
                + "' (expected: IP addresses or host names, separated by commas, or"
                + " service:NAMESPACE/NAME)");
      }
      addresses.add(address);
    }
    return new PublicAddress(addresses, null);
  }

  /** The entries of {@code status.loadBalancer.ingress}, as far as they are known now. */
  List<Object> ingress(Function<ObjectKey, @Nullable KnownObject> known) {
    List<Object> entries = new ArrayList<>();
    for (String address : addresses) {
      boolean isIp = IPV4.matcher(address).matches() || IPV6.matcher(address).matches();
      entries.add(new LinkedHashMap<>(Map.of(isIp ? "ip" : "hostname", address)));
    }
    KnownObject proxies = service == null ? null : known.apply(service);
    if (proxies != null) {
      Mapping balancer = Json.mapping(proxies.status(), "loadBalancer");
      for (Value each : Json.elements(balancer, "ingress")) {
        if (each instanceof Mapping entry) {
          addNonEmpty(entry, entries);
        }
      }
    }
    return entries;
  }

  private static void addNonEmpty(Mapping entry, List<Object> entries) {
    Map<String, Object> fields = new LinkedHashMap<>();
    for (String field : List.of("hostname", "ip")) {
      String value = Json.string(entry, field);
      if (!value.isEmpty()) {
        fields.put(field, value);
      }
    }
    if (!fields.isEmpty()) {
      entries.add(fields);
    }
  }
}
