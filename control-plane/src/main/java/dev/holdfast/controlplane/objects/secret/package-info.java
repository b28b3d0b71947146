// SPDX-License-Identifier: Apache-2.0
/**
 * Secret of the Kubernetes API, as far as it holds certificates, and its delegation to other
 * namespaces.
 */
@NullMarked
package dev.holdfast.controlplane.objects.secret;

import org.jspecify.annotations.NullMarked;
