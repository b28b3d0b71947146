// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.interop.docs;

import dev.holdfast.interop.kubernetes.KubeCluster;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The Kubernetes cluster of a page that says that it needs one. */
final class PageCluster implements AutoCloseable {
  private static final Block.Mark NEEDS = new Block.Mark(Block.How.NEEDS, "kube");

  private final @Nullable KubeCluster cluster;

  private PageCluster(@Nullable KubeCluster cluster) {
    this.cluster = cluster;
  }

  /** One with Contour's CRDs; skips the page if there is none to be had. */
  static PageCluster of(List<Block> blocks) {
    if (blocks.stream().noneMatch(block -> block.mark().equals(NEEDS))) {
      return new PageCluster(null);
    }
    KubeCluster cluster = KubeCluster.start();
    cluster.admin().apply(cluster.contourCrds());
    return new PageCluster(cluster);
  }

  /** How kubectl and Holdfast find it. */
  Map<String, String> environment() {
    return cluster == null
        ? Map.of()
        : Map.of(
            "KUBECONFIG",
            cluster.kubeconfig(cluster.adminToken()).toString(),
            "PATH",
            cluster.programs().toString());
  }

  @Override
  public void close() {
    if (cluster != null) {
      cluster.close();
    }
  }
}
