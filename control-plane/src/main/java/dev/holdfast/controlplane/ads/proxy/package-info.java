// SPDX-License-Identifier: Apache-2.0
/**
 * A proxy as the control plane knows it: its identity, the versions that it rejected and why, the
 * retries that are due, counts, and the observer of all that proxies do.
 */
@NullMarked
package dev.holdfast.controlplane.ads.proxy;

import org.jspecify.annotations.NullMarked;
