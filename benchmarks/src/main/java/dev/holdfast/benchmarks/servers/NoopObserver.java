// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.benchmarks.servers;

import dev.holdfast.controlplane.ads.proxy.AdsObserver;
import dev.holdfast.controlplane.ads.proxy.ProxyNode;
import dev.holdfast.controlplane.snapshot.Resource;
import dev.holdfast.controlplane.snapshot.ResourceTable;
import dev.holdfast.controlplane.snapshot.ResourceType;
import java.time.Instant;
import java.util.Collection;
import java.util.List;

/** Does nothing with what it is told: the peer tells nobody either. */
final class NoopObserver implements AdsObserver {
  @Override
  public void connected(ProxyNode node, String address) {}

  @Override
  public void disconnected(ProxyNode node, String address, boolean lastOfNode) {}

  @Override
  public void subscribed(ProxyNode node, ResourceType type) {}

  @Override
  public void accepted(
      ProxyNode node, ResourceType type, ResourceTable before, ResourceTable now, long tookNanos) {}

  @Override
  public void rejected(
      ProxyNode node, ResourceType type, List<Resource> badObjects, String message) {}

  @Override
  public void removalRefused(
      ProxyNode node, ResourceType type, Collection<String> names, String message) {}

  @Override
  public void localProblem(ProxyNode node, Resource resource, String message, Instant again) {}

  @Override
  public void internalError(String what, Throwable error) {
    throw new IllegalStateException(what, error);
  }

  @Override
  public void overdue(ProxyNode node, ResourceType type) {}

  @Override
  public void settled(ProxyNode node, ResourceType type) {}
}
