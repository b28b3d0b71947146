// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.simulation;

import dev.holdfast.config.ObjectKey;
import java.util.ArrayList;
import java.util.List;

/** What the objects of a run may be called: few names, so that edits meet. */
final class Names {
  private final List<ObjectKey> roots = new ArrayList<>();
  private final List<ObjectKey> children = new ArrayList<>();
  private final List<ObjectKey> services = new ArrayList<>();
  private final List<ObjectKey> slices = new ArrayList<>();
  private final List<ObjectKey> secrets = new ArrayList<>();
  private final List<ObjectKey> policies = new ArrayList<>();

  /**
   * @param hosts how many there are; every third has TLS, and a second name that a root of it may
   *     have
   */
  Names(int hosts, int services, int children) {
    for (int i = 0; i < hosts; i++) {
      for (String name : List.of("p" + i, "q" + i)) {
        roots.add(Sketches.key("HTTPProxy", name));
      }
      policies.add(Sketches.key("ExtensionPolicy", "x-p" + i));
    }
    for (int i = 0; i < services; i++) {
      this.services.add(Sketches.key("Service", "v" + i));
      slices.add(Sketches.key("EndpointSlice", "e-v" + i));
    }
    for (int i = 0; i < children; i++) {
      this.children.add(Sketches.key("HTTPProxy", "c" + i));
    }
    for (int i = 0; i < 2; i++) {
      secrets.add(Sketches.key("Secret", "t" + i));
    }
  }

  List<ObjectKey> roots() {
    return roots;
  }

  List<ObjectKey> children() {
    return children;
  }

  List<ObjectKey> services() {
    return services;
  }

  List<ObjectKey> slices() {
    return slices;
  }

  List<ObjectKey> secrets() {
    return secrets;
  }

  /**
   * The certificate of a host. Always the same: a host that is given another one is without any for
   * as long as it takes a proxy to refuse that and be told so.
   */
  ObjectKey secretOf(String host) {
    return secrets.get(host.charAt(1) % secrets.size());
  }

  List<ObjectKey> policies() {
    return policies;
  }

  static boolean isRoot(ObjectKey key) {
    return key.kind().equals("HTTPProxy") && !key.name().startsWith("c");
  }

  /** The host of a root: the same for both names that the root of a host may have. */
  static String host(ObjectKey root) {
    return "h" + root.name().substring(1) + ".test";
  }

  /** The other root of the same host. */
  static ObjectKey otherName(ObjectKey root) {
    String name = root.name();
    return Sketches.key("HTTPProxy", (name.startsWith("p") ? "q" : "p") + name.substring(1));
  }

  static boolean hasTls(String host) {
    return Integer.parseInt(host.substring(1, host.indexOf('.'))) % 3 == 2;
  }

  /** Policies are for a root, but a root does not need any. */
  static boolean isPolicy(ObjectKey key) {
    return key.kind().equals("ExtensionPolicy");
  }

  static ObjectKey sliceOf(ObjectKey service) {
    return Sketches.key("EndpointSlice", "e-" + service.name());
  }

  static ObjectKey serviceOf(ObjectKey slice) {
    return Sketches.key("Service", slice.name().substring(2));
  }

  static ObjectKey targetOf(ObjectKey policy) {
    return Sketches.key("HTTPProxy", policy.name().substring(2));
  }
}
