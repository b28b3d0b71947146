// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.ads.wire;

import io.envoyproxy.envoy.service.discovery.v3.DeltaDiscoveryRequest;
import io.envoyproxy.envoy.service.discovery.v3.DiscoveryRequest;

/** The control plane's end of one xDS stream. All methods are called on the loop. */
public interface StreamHandler {
  /** A state-of-the-world request. */
  void onSotwRequest(TypedRequest<DiscoveryRequest> request);

  /** An incremental request. */
  void onDeltaRequest(TypedRequest<DeltaDiscoveryRequest> request);

  /** The sink refused a response earlier and takes more now. */
  void onReady();

  /** The stream has ended. Called once; no other method is called after it. */
  void onClosed();
}
