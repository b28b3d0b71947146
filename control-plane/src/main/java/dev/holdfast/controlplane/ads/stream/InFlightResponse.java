// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.ads.stream;

import dev.holdfast.controlplane.snapshot.Resource;
import dev.holdfast.controlplane.snapshot.ResourceTable;
import dev.holdfast.controlplane.snapshot.ResourceType;
import dev.holdfast.controlplane.snapshot.Snapshot;
import java.time.Duration;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeSet;

/** A response that the proxy has not answered. */
public final class InFlightResponse {
  /** Envoy delays its answer on clusters until they have endpoints, or have waited 15 s. */
  private static final Duration CLUSTER_TIMEOUT = Duration.ofSeconds(20);

  private static final Duration TIMEOUT = Duration.ofSeconds(10);

  private final String nonce;
  private final String version;
  private final PlannedResponse content;
  private final Snapshot view;
  private final SortedSet<String> removalsOfHeld;
  private final boolean replacesRejected;
  private final long sentAt;
  private ResourceTable after;
  private boolean isLost;

  /**
   * @param after the resources that the proxy runs if it accepts
   * @param view the snapshot that the proxy was served when the response was sent
   * @param removalsOfHeld the names that the proxy holds and the response removes
   * @param replacesRejected whether it replaces a resource that the proxy rejected and may have
   *     kept in part
   */
  InFlightResponse(
      String nonce,
      String version,
      PlannedResponse content,
      ResourceTable after,
      Snapshot view,
      SortedSet<String> removalsOfHeld,
      boolean replacesRejected,
      long sentAt) {
    this.nonce = nonce;
    this.version = version;
    this.content = content;
    this.after = after;
    this.view = view;
    this.removalsOfHeld = removalsOfHeld;
    this.replacesRejected = replacesRejected;
    this.sentAt = sentAt;
  }

  /** How long other resources wait for the answer to a response of a type. */
  public static Duration timeout(ResourceType type) {
    return type == ResourceType.CLUSTER ? CLUSTER_TIMEOUT : TIMEOUT;
  }

  String nonce() {
    return nonce;
  }

  String version() {
    return version;
  }

  /** The resources that the proxy did not run before. */
  SortedMap<String, Resource> changed() {
    return content.sends;
  }

  SortedSet<String> removed() {
    return content.removes;
  }

  /** The removed names that the proxy held; it may have kept a part of others that it rejected. */
  SortedSet<String> removalsOfHeld() {
    return removalsOfHeld;
  }

  /** All names that the response changes or removes. */
  SortedSet<String> names() {
    SortedSet<String> names = new TreeSet<>(content.sends.keySet());
    names.addAll(content.removes);
    return names;
  }

  /** The resources that the proxy runs if it accepts, without those it unsubscribed from since. */
  ResourceTable after() {
    return after;
  }

  /** The proxy unsubscribed from a name. */
  void forget(String name) {
    after = after.without(name);
  }

  /** The proxy has lost what was in the response, or took no notice of it. */
  void lose() {
    after = ResourceTable.empty();
    isLost = true;
  }

  boolean isLost() {
    return isLost;
  }

  Snapshot view() {
    return view;
  }

  boolean replacesRejected() {
    return replacesRejected;
  }

  /** When the response was sent, on the clock of {@code TimeSource.nanoTime}. */
  public long sentAt() {
    return sentAt;
  }
}
