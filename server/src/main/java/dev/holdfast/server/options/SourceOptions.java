// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.server.options;

import static java.util.Objects.requireNonNull;

import dev.holdfast.config.files.TreeLimits;
import dev.holdfast.kubernetes.status.PublicAddress;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Where the objects come from. The text of one is for people. */
public sealed interface SourceOptions {
  /**
   * A tree of files.
   *
   * @param limits how large it may be
   */
  record Directory(Path path, TreeLimits limits) implements SourceOptions {
    public Directory {
      requireNonNull(path, "path");
      requireNonNull(limits, "limits");
    }

    @Override
    public String toString() {
      return path.toString();
    }
  }

  /**
   * A Kubernetes cluster.
   *
   * @param kubeconfig files that say how to reach it; none for the cluster that this process runs
   *     in
   * @param context a context of these files; null for the current one
   * @param namespaces those that are read; none for all
   * @param publicAddress what is written as the address of hosts
   */
  record Cluster(
      List<Path> kubeconfig,
      @Nullable String context,
      SortedSet<String> namespaces,
      PublicAddress publicAddress)
      implements SourceOptions {
    public Cluster {
      requireNonNull(publicAddress, "publicAddress");
      kubeconfig = List.copyOf(kubeconfig);
      namespaces = Collections.unmodifiableSortedSet(new TreeSet<>(namespaces));
    }

    @Override
    public String toString() {
      return "Kubernetes"
          + (context == null ? "" : " context " + context)
          + (namespaces.isEmpty()
              ? ""
              : (namespaces.size() == 1 ? ", namespace " : ", namespaces ")
                  + String.join(", ", namespaces));
    }
  }
}
