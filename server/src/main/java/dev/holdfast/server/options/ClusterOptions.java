// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.server.options;

import dev.holdfast.kubernetes.access.Kubeconfig;
import dev.holdfast.kubernetes.access.PodAccess;
import dev.holdfast.kubernetes.status.PublicAddress;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * What one place says about a cluster as the source; null is what it does not say.
 *
 * @param enabled whether the objects come from a cluster
 * @param kubeconfig how to reach it
 * @param context a context of the kubeconfig
 * @param namespaces those that are read
 * @param publicAddress what is written as the address of hosts, as {@link #address} takes it
 */
public record ClusterOptions(
    @Nullable Boolean enabled,
    @Nullable Path kubeconfig,
    @Nullable String context,
    @Nullable SortedSet<String> namespaces,
    @Nullable String publicAddress) {
  private static final ClusterOptions NONE = new ClusterOptions(null, null, null, null, null);

  public static ClusterOptions none() {
    return NONE;
  }

  ClusterOptions orElse(ClusterOptions other) {
    return new ClusterOptions(
        enabled == null ? other.enabled : enabled,
        kubeconfig == null ? other.kubeconfig : kubeconfig,
        context == null ? other.context : context,
        namespaces == null ? other.namespaces : namespaces,
        publicAddress == null ? other.publicAddress : publicAddress);
  }

  boolean isEnabled() {
    return Boolean.TRUE.equals(enabled);
  }

  boolean saysAnything() {
    return kubeconfig != null || context != null || namespaces != null || publicAddress != null;
  }

  /** The whole: what kubectl would use, unless this process runs in a pod. */
  public SourceOptions.Cluster complete(Map<String, String> environment) {
    boolean isPod = kubeconfig == null && context == null && PodAccess.isPod(environment);
    List<Path> files =
        kubeconfig == null
            ? Kubeconfig.files(environment, Path.of(environment.getOrDefault("HOME", "")))
            : List.of(kubeconfig);
    return new SourceOptions.Cluster(
        isPod ? List.of() : files,
        context,
        namespaces == null ? new TreeSet<>() : namespaces,
        publicAddress == null ? PublicAddress.NONE : PublicAddress.parse(publicAddress));
  }

  /**
   * What is written as the address of hosts.
   *
   * @throws IllegalArgumentException if it is none
   */
  public static String address(String text) {
    PublicAddress.parse(text);
    return text;
  }

  /**
   * Names that are separated by commas.
   *
   * @throws IllegalArgumentException if one is empty
   */
  public static SortedSet<String> names(String text) {
    return names(Arrays.asList(text.split(",", -1)));
  }

  /**
   * @throws IllegalArgumentException if a name is empty, or cannot be one
   */
  public static SortedSet<String> names(Collection<String> texts) {
    SortedSet<String> names = new TreeSet<>();
    for (String text : texts) {
      String name = text.strip();
      if (!name.matches("[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?")) {
        throw new IllegalArgumentException("'" + text + "' (expected: the name of a namespace)");
      }
      names.add(name);
    }
    return names;
  }
}
