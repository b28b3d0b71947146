// SPDX-License-Identifier: Apache-2.0
/** Plans single hosts: their routes in order, and the clusters and certificates that they need. */
@NullMarked
package dev.holdfast.controlplane.translate.host;

import org.jspecify.annotations.NullMarked;
