// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.demo.shop;

import java.util.List;
import java.util.Locale;

/** A team of the shop. Each has a service of its own, and a file in which its routes are. */
public enum Team {
  CART,
  CATALOG,
  INVOICES,
  ORDERS,
  PAYMENTS,
  REVIEWS,
  SEARCH,
  SHIPPING,
  STOCK,
  WISHES;

  /** What its objects are called. */
  public String object() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** The gRPC service that it has. */
  public String service() {
    return "shop." + name().charAt(0) + object().substring(1);
  }

  public static List<String> services() {
    return List.of(values()).stream().map(Team::service).toList();
  }
}
