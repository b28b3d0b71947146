// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.interop.serve;

import dev.holdfast.testkit.TestCa;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Edits of a {@link RandomShop}, one after the other, the same for the same seed. */
final class RandomEdits {
  private static final List<String> PREFIXES = List.of("/a", "/b", "/c", "/d");
  private static final int HOSTS = 8;
  private static final int SERVICES = 8;

  /** The first hosts are always there, one with TLS and one without, so that something is. */
  private static final int LASTING = 2;

  private final SplittableRandom random;
  private final RandomShop shop;
  private final List<String> backends;
  private int count;

  RandomEdits(long seed, SortedMap<String, Integer> backends, TestCa ca) {
    this.random = new SplittableRandom(seed);
    this.shop = new RandomShop(backends, ca);
    this.backends = List.copyOf(backends.keySet());
    for (int i = 0; i < SERVICES / 2; i++) {
      shop.services.put("s" + i, newService("s" + i));
    }
    for (int i = 0; i < HOSTS / 2; i++) {
      shop.hosts.put("h" + i, newHost(i));
    }
  }

  /** What is there before the first edit. */
  Edit start() {
    return new Edit("start", shop.files());
  }

  /** What must be answered after all edits so far. */
  Oracle oracle() {
    return shop.oracle("#" + count);
  }

  Edit next() {
    while (true) {
      Edit edit =
          switch (random.nextInt(10)) {
            case 0, 1 -> reroute();
            case 2 -> addRoute();
            case 3 -> removeRoute();
            case 4 -> moveEndpoints();
            case 5 -> resizeCluster();
            case 6 -> random.nextBoolean() ? addHost() : removeHost();
            case 7 -> addService();
            case 8 -> removeService();
            default -> rotateCertificate();
          };
      if (edit != null) {
        count++;
        return new Edit("#" + count + " " + edit.what(), edit.changes());
      }
    }
  }

  private Edit reroute() {
    String name = pick(shop.hosts.keySet());
    RandomShop.Host host = host(name);
    String prefix = pick(host.routes().keySet());
    host.routes().put(prefix, newRoute());
    return new Edit("another route for " + name + prefix, List.of(shop.hostFile(name)));
  }

  private Edit addRoute() {
    String name = pick(shop.hosts.keySet());
    String prefix = pick(PREFIXES);
    host(name).routes().put(prefix, newRoute());
    return new Edit("route for " + name + prefix, List.of(shop.hostFile(name)));
  }

  private @Nullable Edit removeRoute() {
    String name = pick(shop.hosts.keySet());
    RandomShop.Host host = host(name);
    if (host.routes().size() < 2) {
      return null;
    }
    String prefix = pick(host.routes().keySet());
    host.routes().remove(prefix);
    return new Edit("no more route for " + name + prefix, List.of(shop.hostFile(name)));
  }

  private Edit moveEndpoints() {
    String name = pick(shop.services.keySet());
    shop.services.put(
        name, new RandomShop.Service(newEndpoints(name), service(name).connections()));
    return new Edit("other endpoints for " + name, List.of(shop.serviceFile(name)));
  }

  private Edit resizeCluster() {
    String name = pick(shop.services.keySet());
    shop.services.put(
        name, new RandomShop.Service(service(name).endpoints(), 1000 + random.nextInt(1000)));
    return new Edit("other limits for " + name, List.of(shop.serviceFile(name)));
  }

  private @Nullable Edit addHost() {
    int number = random.nextInt(HOSTS);
    String name = "h" + number;
    if (shop.hosts.containsKey(name)) {
      return null;
    }
    shop.hosts.put(name, newHost(number));
    return new Edit("host " + name, List.of(shop.hostFile(name)));
  }

  private @Nullable Edit removeHost() {
    String name = "h" + (LASTING + random.nextInt(HOSTS - LASTING));
    if (shop.hosts.remove(name) == null) {
      return null;
    }
    return new Edit("no more host " + name, List.of(shop.hostFile(name)));
  }

  /** A service, and a route that goes there at once. */
  private @Nullable Edit addService() {
    String name = "s" + random.nextInt(SERVICES);
    if (shop.services.containsKey(name)) {
      return null;
    }
    shop.services.put(name, newService(name));
    String user = pick(shop.hosts.keySet());
    RandomShop.Host host = host(user);
    String prefix = pick(host.routes().keySet());
    host.routes().put(prefix, new RandomShop.Route(List.of(name), setting()));
    return new Edit(
        "service " + name + " for " + user + prefix,
        List.of(shop.serviceFile(name), shop.hostFile(user)));
  }

  /** All routes leave a service, which then goes away. */
  private @Nullable Edit removeService() {
    if (shop.services.size() < 3) {
      return null;
    }
    String name = pick(shop.services.keySet());
    shop.services.remove(name);
    List<Edit.Change> changes = new ArrayList<>();
    shop.hosts.forEach(
        (user, host) -> {
          boolean used = false;
          for (String prefix : List.copyOf(host.routes().keySet())) {
            RandomShop.Route route = host.routes().get(prefix);
            if (route != null && route.services().contains(name)) {
              host.routes().put(prefix, newRoute());
              used = true;
            }
          }
          if (used) {
            changes.add(shop.hostFile(user));
          }
        });
    changes.add(shop.serviceFile(name));
    return new Edit("no more service " + name, changes);
  }

  private @Nullable Edit rotateCertificate() {
    String name = pick(shop.hosts.keySet());
    RandomShop.Host host = host(name);
    if (host.certificate().isEmpty()) {
      return null;
    }
    shop.hosts.put(name, new RandomShop.Host(host.routes(), shop.newCertificate(name)));
    return new Edit("another certificate for " + name, List.of(shop.hostFile(name)));
  }

  private RandomShop.Host newHost(int number) {
    SortedMap<String, RandomShop.Route> routes = new TreeMap<>();
    for (int i = 0; i < 2; i++) {
      routes.put(pick(PREFIXES), newRoute());
    }
    String name = "h" + number;
    return new RandomShop.Host(routes, number % 2 == 0 ? List.of() : shop.newCertificate(name));
  }

  private RandomShop.Route newRoute() {
    SortedSet<String> targets = new TreeSet<>(List.of(pick(shop.services.keySet())));
    if (random.nextInt(3) == 0) {
      targets.add(pick(shop.services.keySet()));
    }
    return new RandomShop.Route(List.copyOf(targets), setting());
  }

  private int setting() {
    return random.nextInt(RandomShop.settings());
  }

  private RandomShop.Service newService(String name) {
    return new RandomShop.Service(newEndpoints(name), 1000);
  }

  /**
   * One endpoint of each service stays: Envoy uses none that it has not checked yet, so where
   * health is checked there must be one that it has.
   */
  private SortedSet<String> newEndpoints(String service) {
    SortedSet<String> endpoints = new TreeSet<>();
    endpoints.add(backends.get(Integer.parseInt(service.substring(1)) % backends.size()));
    for (int more = random.nextInt(3); more > 0; more--) {
      endpoints.add(pick(backends));
    }
    return endpoints;
  }

  private String pick(Collection<String> from) {
    return List.copyOf(from).get(random.nextInt(from.size()));
  }

  private RandomShop.Host host(String name) {
    RandomShop.Host host = shop.hosts.get(name);
    if (host == null) {
      throw new IllegalArgumentException(name);
    }
    return host;
  }

  private RandomShop.Service service(String name) {
    RandomShop.Service service = shop.services.get(name);
    if (service == null) {
      throw new IllegalArgumentException(name);
    }
    return service;
  }
}
