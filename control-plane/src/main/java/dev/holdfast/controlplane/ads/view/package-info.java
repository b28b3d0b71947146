// SPDX-License-Identifier: Apache-2.0
/**
 * Which snapshot each proxy is served, and the newest versions that each class accepted. The door
 * is {@link dev.holdfast.controlplane.ads.view.ServedViews}.
 */
@NullMarked
package dev.holdfast.controlplane.ads.view;

import org.jspecify.annotations.NullMarked;
