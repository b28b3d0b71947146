// SPDX-License-Identifier: Apache-2.0
/** What one host becomes: routes in order, the clusters and certificates they need. */
@NullMarked
package dev.holdfast.controlplane.translate.host;

import org.jspecify.annotations.NullMarked;
