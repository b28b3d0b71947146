// SPDX-License-Identifier: Apache-2.0
/**
 * The versions that proxies held when their streams ended, in this process or in an earlier one. A
 * proxy that reconnects names its resources by version alone. The door is {@link
 * dev.holdfast.controlplane.ads.reconnect.DisconnectedProxies}.
 */
@NullMarked
package dev.holdfast.controlplane.ads.reconnect;

import org.jspecify.annotations.NullMarked;
