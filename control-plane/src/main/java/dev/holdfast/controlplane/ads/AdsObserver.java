// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.ads;

import dev.holdfast.controlplane.snapshot.Resource;
import dev.holdfast.controlplane.snapshot.ResourceTable;
import dev.holdfast.controlplane.snapshot.ResourceType;
import java.time.Instant;
import java.util.List;

/** Is told what proxies say, on the loop. */
public interface AdsObserver {
  /** A stream said who it is. */
  void connected(ProxyNode node, String address);

  /** A stream ended. */
  void left(ProxyNode node, String address, boolean lastOfNode);

  /** A proxy asks for something else than before. */
  void subscribed(ProxyNode node, ResourceType type);

  /** A proxy runs something else than before. */
  void accepted(
      ProxyNode node, ResourceType type, ResourceTable before, ResourceTable now, long tookNanos);

  /**
   * A proxy refused something.
   *
   * @param culprits the resources to blame; empty if that is not known yet
   * @param message what the proxy said
   */
  void rejected(ProxyNode node, ResourceType type, List<Resource> culprits, String message);

  /**
   * A proxy cannot run something, for reasons of its machine. It is sent it again.
   *
   * @param message what the proxy said of it
   * @param again when
   */
  void unable(ProxyNode node, Resource resource, String message, Instant again);

  /** A proxy has not answered for long. */
  void silent(ProxyNode node, ResourceType type);

  /** A proxy has heard all there was to say of a type, and need not say anything itself. */
  void settled(ProxyNode node, ResourceType type);
}
